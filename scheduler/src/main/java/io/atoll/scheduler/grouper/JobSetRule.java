package io.atoll.scheduler.grouper;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** JobSets: jobs that start in order are a group each, for the later ones do not exist yet; else the whole set is one. */
record JobSetRule() implements KindRule {
    private static final String REPLICATED_JOB = "jobset.sigs.k8s.io/replicatedjob-name";

    @Override
    public Gang gang(Workload workload, Surroundings around) {
        Owner set = workload.top();
        JsonNode jobs = set.spec().path("replicatedJobs");
        String order =
                set.spec().path("startupPolicy").path("startupPolicyOrder").asString("InOrder");
        if (!order.equals("InOrder")) {
            return Gang.of(set)
                    .withMinMember(jobs.valueStream().mapToInt(JobSetRule::pods).sum());
        }
        String name = replicatedJob(workload);
        Optional<JsonNode> job = jobs.valueStream()
                .filter(each -> each.path("name").asString("").equals(name))
                .findFirst();
        return Gang.named("pg-" + set.name() + "-" + name + "-" + set.uid(), set)
                .withMinMember(job.map(JobSetRule::pods).orElse(1));
    }

    private static String replicatedJob(Workload workload) {
        String onPod = workload.label(REPLICATED_JOB);
        return onPod.isEmpty() ? workload.nearestLabel(REPLICATED_JOB) : onPod;
    }

    private static int pods(JsonNode job) {
        return job.path("replicas").asInt(1)
                * Counts.parallel(job.path("template").path("spec"));
    }
}
