package io.atoll.controllers;

import io.atoll.model.Metadata;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Computes a ReplicaSet's status from its pods. Stateless. */
final class ReplicaSetStatus {
    private static final String REPLICA_FAILURE = "ReplicaFailure";

    private ReplicaSetStatus() {}

    /** What {@code spec.replicas} asks for. */
    static int replicas(ObjectNode set) {
        return set.path("spec").path("replicas").asInt(1);
    }

    /**
     * The status that the set should have.
     *
     * @param missing how many pods were missing when the failure, if any, happened; negative for surplus ones
     */
    static ObjectNode of(
            ObjectNode set,
            List<ObjectNode> active,
            int terminating,
            int missing,
            @Nullable RuntimeException failure,
            Instant now) {
        ObjectNode status = set.get("status") instanceof ObjectNode present
                ? present.deepCopy()
                : JsonNodeFactory.instance.objectNode();
        Map<String, String> wanted = Metadata.labels(set.path("spec").path("template"));
        long minReadySeconds = set.path("spec").path("minReadySeconds").asLong(0);
        int labeled = 0;
        int ready = 0;
        int available = 0;
        for (ObjectNode pod : active) {
            labeled += Metadata.labels(pod).entrySet().containsAll(wanted.entrySet()) ? 1 : 0;
            ready += Pods.ready(pod) ? 1 : 0;
            available += Pods.available(pod, minReadySeconds, now) ? 1 : 0;
        }
        status.put("replicas", active.size());
        putOrRemove(status, "fullyLabeledReplicas", labeled);
        putOrRemove(status, "readyReplicas", ready);
        putOrRemove(status, "availableReplicas", available);
        status.put("terminatingReplicas", terminating);
        status.put("observedGeneration", (int) Metadata.generation(set));
        condition(status, missing, failure, now);
        return status;
    }

    /** Kubernetes leaves counts of zero out. */
    static void putOrRemove(ObjectNode status, String field, int count) {
        if (count == 0) {
            status.remove(field);
        } else {
            status.put(field, count);
        }
    }

    private static void condition(ObjectNode status, int missing, @Nullable RuntimeException failure, Instant now) {
        if (failure == null) {
            if (Conditions.find(status, REPLICA_FAILURE).isPresent()) {
                Conditions.remove(status, REPLICA_FAILURE);
            }
            return;
        }
        if (Conditions.find(status, REPLICA_FAILURE).isEmpty()) {
            String reason = missing > 0 ? "FailedCreate" : "FailedDelete";
            ObjectNode condition = Conditions.of(REPLICA_FAILURE, "True", reason, String.valueOf(failure.getMessage()));
            Conditions.set(
                    status, condition, now.truncatedTo(ChronoUnit.SECONDS).toString());
        }
    }
}
