package io.atoll.scheduler.grouper;

import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.SubGroupSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * LeaderWorkerSets: each replica is a group. Where workers come only after the leader is ready, the leader starts alone,
 * and the rest of the group is asked for once a worker is there: before that it could not come, and the leader would be
 * taken for what is left of a broken gang.
 */
record LeaderWorkerSetRule() implements KindRule {
    private static final String GROUP_INDEX = "leaderworkerset.sigs.k8s.io/group-index";
    private static final String WORKER_INDEX = "leaderworkerset.sigs.k8s.io/worker-index";
    private static final String SET_NAME = "leaderworkerset.sigs.k8s.io/name";

    @Override
    public Gang gang(Workload workload, Surroundings around) {
        Owner set = workload.top();
        int size = set.spec().path("leaderWorkerTemplate").path("size").asInt(1);
        Gang gang = Gang.named("pg-" + set.name() + "-" + set.uid() + "-group-" + workload.label(GROUP_INDEX), set)
                .withDefaultClass(Gang.TRAIN);
        boolean leader = workload.label(WORKER_INDEX).isEmpty()
                || workload.label(WORKER_INDEX).equals("0");
        boolean leaderFirst = set.spec().path("startupPolicy").asString("").equals("LeaderReady");
        if (leaderFirst && leader && !workerExists(workload, around)) {
            return gang.withMinMember(1).withSubGroups(List.of(SubGroupSpec.of("leader", 1)), "leader");
        }
        Optional<Segments> segments = Segments.of(set);
        if (segments.isPresent()) {
            int index = leader ? 0 : Counts.positive(workload.label(WORKER_INDEX), WORKER_INDEX);
            return gang.withMinMember(size)
                    .withSubGroups(
                            segments.get().parts("segment", size, ""),
                            segments.get().joined("segment", index));
        }
        List<SubGroupSpec> parts = new ArrayList<>();
        parts.add(SubGroupSpec.of("leader", 1));
        if (size > 1) {
            parts.add(SubGroupSpec.of("workers", size - 1));
        }
        return gang.withMinMember(size).withSubGroups(parts, leader ? "leader" : "workers");
    }

    private static boolean workerExists(Workload workload, Surroundings around) {
        String namespace = Metadata.namespace(workload.pod());
        return around.podsLabelled(namespace, SET_NAME, workload.top().name()).stream()
                .filter(pod -> Metadata.label(pod, GROUP_INDEX).equals(workload.label(GROUP_INDEX)))
                .map(pod -> Metadata.label(pod, WORKER_INDEX))
                .anyMatch(index -> !index.isEmpty() && !index.equals("0"));
    }
}
