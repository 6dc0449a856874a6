package io.atoll.scheduler.grouper;

import io.atoll.scheduler.crd.SubGroupSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** PyTorchJobs: elastic ones start with their minimum; master and workers are parts of their own. */
record PyTorchJobRule() implements KindRule {
    private static final String ROLES = "pytorchReplicaSpecs";
    private static final String REPLICA_TYPE = "training.kubeflow.org/replica-type";
    private static final String REPLICA_INDEX = "training.kubeflow.org/replica-index";
    private static final String MASTER = "master";
    private static final String WORKER = "worker";

    @Override
    public Gang gang(Workload workload, Surroundings around) {
        Owner job = workload.top();
        int all = ReplicaJobRule.replicas(job, ROLES);
        int elastic = Counts.orElse(job.spec().path("elasticPolicy").path("minReplicas"), all);
        int min = Counts.orElse(ReplicaJobRule.minAvailable(job), elastic);

        JsonNode roles = job.spec().path(ROLES);
        int masters = ReplicaJobRule.replicas(roles.path("Master"));
        int workers = ReplicaJobRule.replicas(roles.path("Worker"));
        int minWorkers = Math.clamp(min - masters, Math.min(1, workers), Math.max(workers, min - masters));
        List<SubGroupSpec> parts = new ArrayList<>();
        if (masters > 0) {
            parts.add(SubGroupSpec.of(MASTER, masters));
        }
        String role = workload.label(REPLICA_TYPE).toLowerCase(Locale.ROOT);
        Optional<Segments> segments = Segments.of(job);
        if (workers > 0 && segments.isPresent()) {
            int needed = segments.get().count(minWorkers);
            Optional<Integer> minSegments =
                    needed < segments.get().count(workers) ? Optional.of(needed) : Optional.empty();
            parts.add(new SubGroupSpec(WORKER, minWorkers, minSegments, "", Optional.empty()));
            parts.addAll(segments.get().parts(WORKER, workers, WORKER));
            if (role.equals(WORKER)) {
                role = segments.get().joined(WORKER, index(workload));
            }
        } else if (workers > 0) {
            parts.add(SubGroupSpec.of(WORKER, minWorkers));
        }
        return Gang.of(job).withMinMember(min).withSubGroups(parts, role);
    }

    private static int index(Workload workload) {
        String index = workload.label(REPLICA_INDEX);
        return index.isEmpty() || index.equals("0") ? 0 : Counts.positive(index, REPLICA_INDEX);
    }
}
