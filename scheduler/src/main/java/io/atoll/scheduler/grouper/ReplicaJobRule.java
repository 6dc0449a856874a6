package io.atoll.scheduler.grouper;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Kubeflow's training jobs: all replicas of all roles, or as many as the job says it needs.
 *
 * @param field of the spec, with the roles
 */
record ReplicaJobRule(String field) implements KindRule {
    @Override
    public Gang gang(Workload workload, Surroundings around) {
        Owner job = workload.top();
        return Gang.of(job).withMinMember(Counts.orElse(minAvailable(job), replicas(job, field)));
    }

    /** What the job's scheduling policy asks for; not a number when it does not. */
    static JsonNode minAvailable(Owner job) {
        return job.spec().path("runPolicy").path("schedulingPolicy").path("minAvailable");
    }

    /** The pods of all roles. */
    static int replicas(Owner job, String field) {
        int sum = 0;
        for (Map.Entry<String, JsonNode> role : job.spec().path(field).properties()) {
            sum += replicas(role.getValue());
        }
        if (sum == 0) {
            throw new GroupingException(job.kind().kind() + " " + job.name() + " has no replicas");
        }
        return sum;
    }

    /** The pods of one role: one when it does not say, none when there is no such role. */
    static int replicas(JsonNode role) {
        return role.isObject() ? role.path("replicas").asInt(1) : 0;
    }
}
