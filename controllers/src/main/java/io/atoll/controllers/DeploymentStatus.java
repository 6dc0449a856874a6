package io.atoll.controllers;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Computes a Deployment's status and conditions from its ReplicaSets. Stateless. */
final class DeploymentStatus {
    static final String PROGRESSING = "Progressing";
    static final String AVAILABLE = "Available";
    static final String REPLICA_FAILURE = "ReplicaFailure";
    static final String NEW_SET_AVAILABLE = "NewReplicaSetAvailable";
    static final String DEADLINE_EXCEEDED = "ProgressDeadlineExceeded";

    private DeploymentStatus() {}

    /** Counts, and whether enough pods are available; other conditions as they were. */
    static ObjectNode count(ObjectNode deployment, List<ObjectNode> all, Optional<ObjectNode> newest, Instant now) {
        ObjectNode old = deployment.get("status") instanceof ObjectNode present ? present : Json.object();
        ObjectNode status = Json.object();
        int available = Deployments.sumStatus(all, "availableReplicas");
        int unavailable = Math.max(0, Deployments.sumReplicas(all) - available);
        List<ObjectNode> updated = newest.map(List::of).orElse(List.of());
        status.put("observedGeneration", (int) Metadata.generation(deployment));
        ReplicaSetStatus.putOrRemove(status, "replicas", Deployments.sumStatus(all, "replicas"));
        ReplicaSetStatus.putOrRemove(status, "updatedReplicas", Deployments.sumStatus(updated, "replicas"));
        ReplicaSetStatus.putOrRemove(status, "readyReplicas", Deployments.sumStatus(all, "readyReplicas"));
        ReplicaSetStatus.putOrRemove(status, "availableReplicas", available);
        ReplicaSetStatus.putOrRemove(status, "unavailableReplicas", unavailable);
        status.put("terminatingReplicas", Deployments.sumStatus(all, "terminatingReplicas"));
        if (old.has("collisionCount")) {
            status.set("collisionCount", old.path("collisionCount"));
        }
        if (old.has("conditions")) {
            status.set("conditions", old.path("conditions").deepCopy());
        }
        boolean enough = available
                >= Deployments.replicas(deployment)
                        - RollingLimits.of(deployment).unavailable();
        set(
                status,
                enough
                        ? Conditions.of(
                                AVAILABLE, "True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
                        : Conditions.of(
                                AVAILABLE,
                                "False",
                                "MinimumReplicasUnavailable",
                                "Deployment does not have minimum availability."),
                now);
        return status;
    }

    /** Everything: counts, progress, deadline and failures of the sets. */
    static ObjectNode rollout(ObjectNode deployment, List<ObjectNode> all, Optional<ObjectNode> newest, Instant now) {
        ObjectNode status = count(deployment, all, newest, now);
        JsonNode old = deployment.path("status");
        if (Deployments.progressDeadlineSeconds(deployment).isEmpty()) {
            if (Conditions.find(status, PROGRESSING).isPresent()) {
                Conditions.remove(status, PROGRESSING);
            }
        } else if (!wasComplete(status)) {
            progress(deployment, old, status, newest, now);
        }
        replicaFailure(all, newest, status, now);
        return status;
    }

    private static boolean wasComplete(ObjectNode status) {
        return status.path("replicas").asInt(0)
                        == status.path("updatedReplicas").asInt(0)
                && reason(status, PROGRESSING).equals(NEW_SET_AVAILABLE);
    }

    private static void progress(
            ObjectNode deployment, JsonNode old, ObjectNode status, Optional<ObjectNode> newest, Instant now) {
        String subject = newest.map(set -> "ReplicaSet \"" + Metadata.name(set) + "\"")
                .orElse("Deployment \"" + Metadata.name(deployment) + "\"");
        if (complete(deployment, status)) {
            set(
                    status,
                    Conditions.of(PROGRESSING, "True", NEW_SET_AVAILABLE, subject + " has successfully progressed."),
                    now);
        } else if (progressed(old, status)) {
            ObjectNode condition =
                    Conditions.of(PROGRESSING, "True", "ReplicaSetUpdated", subject + " is progressing.");
            // Each step counts as an update, even when nothing else about the condition changes.
            put(status, condition, now);
        } else if (timedOut(deployment, status, now)) {
            set(
                    status,
                    Conditions.of(PROGRESSING, "False", DEADLINE_EXCEEDED, subject + " has timed out progressing."),
                    now);
        }
    }

    static boolean complete(ObjectNode deployment, JsonNode status) {
        int desired = Deployments.replicas(deployment);
        return status.path("updatedReplicas").asInt(0) == desired
                && status.path("replicas").asInt(0) == desired
                && status.path("availableReplicas").asInt(0) == desired
                && status.path("observedGeneration").asLong(0) >= Metadata.generation(deployment);
    }

    private static boolean progressed(JsonNode old, JsonNode status) {
        int oldRest =
                old.path("replicas").asInt(0) - old.path("updatedReplicas").asInt(0);
        int rest = status.path("replicas").asInt(0)
                - status.path("updatedReplicas").asInt(0);
        return grew(old, status, "updatedReplicas")
                || rest < oldRest
                || grew(old, status, "readyReplicas")
                || grew(old, status, "availableReplicas");
    }

    private static boolean grew(JsonNode old, JsonNode status, String field) {
        return status.path(field).asInt(0) > old.path(field).asInt(0);
    }

    private static boolean timedOut(ObjectNode deployment, ObjectNode status, Instant now) {
        String reason = reason(status, PROGRESSING);
        if (reason.isEmpty() || reason.equals(NEW_SET_AVAILABLE)) {
            return false;
        }
        return reason.equals(DEADLINE_EXCEEDED)
                || untilDeadline(deployment, status, now)
                        .filter(left -> !left.isPositive())
                        .isPresent();
    }

    /** How long the Deployment may go without progress from now on; empty when nothing would come of it. */
    static Optional<Duration> untilDeadline(ObjectNode deployment, JsonNode status, Instant now) {
        Optional<Integer> deadline = Deployments.progressDeadlineSeconds(deployment);
        Optional<JsonNode> condition = Conditions.find(status, PROGRESSING);
        if (deadline.isEmpty() || condition.isEmpty()) {
            return Optional.empty();
        }
        Instant from = Pods.time(condition.get().path("lastUpdateTime"));
        return Optional.of(Duration.between(now, from.plusSeconds(deadline.get())));
    }

    private static void replicaFailure(
            List<ObjectNode> all, Optional<ObjectNode> newest, ObjectNode status, Instant now) {
        List<ObjectNode> order = new ArrayList<>(newest.map(List::of).orElse(List.of()));
        order.addAll(all);
        for (ObjectNode set : order) {
            Optional<JsonNode> failure = Conditions.find(set.path("status"), REPLICA_FAILURE);
            if (failure.isPresent()) {
                JsonNode condition = failure.get();
                set(
                        status,
                        Conditions.of(
                                REPLICA_FAILURE,
                                condition.path("status").asString(""),
                                condition.path("reason").asString(""),
                                condition.path("message").asString("")),
                        now);
                return;
            }
        }
        if (Conditions.find(status, REPLICA_FAILURE).isPresent()) {
            Conditions.remove(status, REPLICA_FAILURE);
        }
    }

    static String reason(JsonNode status, String type) {
        return Conditions.find(status, type)
                .map(condition -> condition.path("reason").asString(""))
                .orElse("");
    }

    /** Leaves a condition alone whose status and reason are the same already. */
    static void set(ObjectNode status, ObjectNode condition, Instant now) {
        Optional<JsonNode> old = Conditions.find(status, condition.path("type").asString(""));
        boolean same = old.isPresent()
                && old.get().path("status").equals(condition.path("status"))
                && old.get().path("reason").equals(condition.path("reason"));
        if (!same) {
            put(status, condition, now);
        }
    }

    private static void put(ObjectNode status, ObjectNode condition, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        condition.put("lastUpdateTime", time);
        Conditions.set(status, condition, time);
    }
}
