package io.atoll.scheduler.grouper;

import io.atoll.scheduler.crd.SchedulingKeys;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Which rule groups the pods of which top owner. Immutable. */
final class KindTable {
    private record GroupKind(String group, String kind) {}

    /** Owners that only stand for the ones below them. */
    private static final Map<String, Set<String>> SKIPPED = Map.of(
            "argoproj.io", Set.of("Workflow"),
            "run.ai",
                    Set.of(
                            "TrainingWorkload",
                            "InteractiveWorkload",
                            "DistributedWorkload",
                            "InferenceWorkload",
                            "DistributedInferenceWorkload"),
            "trainer.kubeflow.org", Set.of("TrainJob"),
            "nvidia.com", Set.of("DynamoGraphDeployment"));

    private final Map<GroupKind, KindRule> rules = new HashMap<>();
    private final KindRule other = new GenericGang((workload, _) -> Gang.of(workload.top()));

    KindTable(boolean knativeGangs) {
        KindRule training = (workload, _) -> Gang.of(workload.top());
        rule("", "Pod", PodRules::pod);
        rule("batch", "Job", new GenericGang(PodRules::job));
        rule("batch", "CronJob", new GenericGang(PodRules::cronJob));
        rule("apps", "Deployment", new GenericGang(PodRules::deployment));
        rule(
                "kubeflow.org",
                "Notebook",
                (workload, _) -> Gang.of(workload.top()).withDefaultClass(Gang.BUILD));
        rule("kubeflow.org", "TFJob", new ReplicaJobRule("tfReplicaSpecs"));
        rule("kubeflow.org", "XGBoostJob", new ReplicaJobRule("xgbReplicaSpecs"));
        rule("kubeflow.org", "JAXJob", new ReplicaJobRule("jaxReplicaSpecs"));
        rule("kubeflow.org", "MPIJob", new MpiJobRule());
        rule("kubeflow.org", "PyTorchJob", new PyTorchJobRule());
        rule("ray.io", "RayCluster", new RayRule());
        rule("ray.io", "RayJob", new RayRule());
        rule("ray.io", "RayService", new RayRule());
        rule("jobset.x-k8s.io", "JobSet", new JobSetRule());
        rule("leaderworkerset.x-k8s.io", "LeaderWorkerSet", new LeaderWorkerSetRule());
        rule("grove.io", "PodGangSet", new GroveRule());
        rule("grove.io", "PodCliqueSet", new GroveRule());
        rule("serving.knative.dev", "Service", new KnativeRule(knativeGangs));
        rule("amlarc.azureml.com", "AmlJob", PodRules::amlJob);
        rule(
                "egx.nvidia.io",
                "SPOTRequest",
                (workload, _) -> Gang.of(workload.top()).withDefaultClass(Gang.INFERENCE));
        rule("run.ai", "RunaiJob", training);
    }

    private void rule(String group, String kind, KindRule rule) {
        rules.put(new GroupKind(group, kind), rule);
    }

    /** The workload without the owners on top that only stand for others. */
    static Workload withoutSkipped(Workload workload) {
        Workload rest = workload;
        while (!rest.owners().isEmpty()
                && SKIPPED.getOrDefault(rest.top().kind().group(), Set.of())
                        .contains(rest.top().kind().kind())) {
            rest = rest.withoutTop();
        }
        return rest;
    }

    KindRule of(Workload workload) {
        Owner top = workload.top();
        return rules.getOrDefault(new GroupKind(top.kind().group(), top.kind().kind()), other);
    }

    /** Kinds that are no gangs of themselves are gangs when their owner says how many pods start together. */
    private record GenericGang(KindRule rule) implements KindRule {
        @Override
        public Gang gang(Workload workload, Surroundings around) {
            Owner top = workload.top();
            String asked = top.annotation(SchedulingKeys.BATCH_MIN_MEMBER);
            if (asked.isEmpty()) {
                return rule.gang(workload, around);
            }
            Owner whole =
                    top.is("batch", "CronJob") ? workload.find("batch", "Job").orElse(top) : top;
            return Gang.of(whole)
                    .withMinMember(
                            Math.min(Counts.positive(asked, SchedulingKeys.BATCH_MIN_MEMBER), Counts.pods(whole)))
                    .withDefaultClass(rule.gang(workload, around).defaultClass());
        }
    }
}
