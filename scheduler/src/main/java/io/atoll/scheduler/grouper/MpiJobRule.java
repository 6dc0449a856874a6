package io.atoll.scheduler.grouper;

import io.atoll.model.Metadata;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** MPIJobs: as other training jobs, but a launcher that waits for its workers is not waited for by them. */
record MpiJobRule() implements KindRule {
    private static final String ROLES = "mpiReplicaSpecs";
    private static final String JOB_NAME = "training.kubeflow.org/job-name";
    private static final String JOB_ROLE = "training.kubeflow.org/job-role";
    private static final String REPLICA_TYPE = "training.kubeflow.org/replica-type";

    @Override
    public Gang gang(Workload workload, Surroundings around) {
        Owner job = workload.top();
        int all = ReplicaJobRule.replicas(job, ROLES);
        int min = Counts.orElse(ReplicaJobRule.minAvailable(job), all);
        boolean launcherWaits =
                job.spec().path("launcherCreationPolicy").asString("").equals("WaitForWorkersReady");
        if (launcherWaits && min == all && !launcherExists(workload, around)) {
            min -= ReplicaJobRule.replicas(job.spec().path(ROLES).path("Launcher"));
        }
        return Gang.of(job).withMinMember(min);
    }

    private static boolean launcherExists(Workload workload, Surroundings around) {
        if (isLauncher(workload.pod())) {
            return true;
        }
        String namespace = Metadata.namespace(workload.pod());
        return around.podsLabelled(namespace, JOB_NAME, workload.top().name()).stream()
                .anyMatch(MpiJobRule::isLauncher);
    }

    private static boolean isLauncher(ObjectNode pod) {
        JsonNode labels = pod.path("metadata").path("labels");
        return labels.path(JOB_ROLE).asString("").equals("launcher")
                || labels.path(REPLICA_TYPE).asString("").equals("launcher");
    }
}
