package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.reconcile.EventRecorder;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a StatefulSet does next: create the missing pods upwards, delete the surplus and replace outdated ones
 * downwards. In order means one pod at a time, each only when all before it are available. Any thread.
 */
final class StatefulSteps {
    private final ControllerContext context;
    private final Client client;
    private final EventRecorder events;

    StatefulSteps(ControllerContext context, EventRecorder events) {
        this.context = context;
        this.client = context.client();
        this.events = events;
    }

    void take(ObjectNode set, List<ObjectNode> pods, ObjectNode current, ObjectNode update) {
        int start = set.path("spec").path("ordinals").path("start").asInt(0);
        int end = start + Deployments.replicas(set);
        boolean inOrder =
                !set.path("spec").path("podManagementPolicy").asString("").equals("Parallel");
        Map<Integer, ObjectNode> byOrdinal = new TreeMap<>();
        pods.forEach(pod -> byOrdinal.put(StatefulPods.ordinal(set, pod), pod));
        if (fill(set, byOrdinal, start, end, inOrder, current, update) || shrink(set, pods, start, end, inOrder)) {
            return;
        }
        replaceOutdated(set, byOrdinal, start, end, update);
    }

    /** True when the set has to wait before it does anything else. */
    private boolean fill(
            ObjectNode set,
            Map<Integer, ObjectNode> byOrdinal,
            int start,
            int end,
            boolean inOrder,
            ObjectNode current,
            ObjectNode update) {
        for (int ordinal = start; ordinal < end; ordinal++) {
            ObjectNode pod = byOrdinal.get(ordinal);
            if (pod != null && Pods.terminal(pod) && !Metadata.deleting(pod)) {
                String verb = Pods.failed(pod) ? "RecreatingFailedPod" : "RecreatingTerminatedPod";
                events.warning(
                        set,
                        verb,
                        "StatefulSet " + Metadata.namespace(set) + "/" + Metadata.name(set)
                                + " is recreating " + (Pods.failed(pod) ? "failed" : "terminated") + " Pod "
                                + Metadata.name(pod));
                delete(set, pod);
                if (inOrder) {
                    return true;
                }
                continue;
            }
            if (pod == null) {
                create(set, ordinal, revisionFor(set, ordinal, start, current, update));
                if (inOrder) {
                    return true;
                }
            } else if (inOrder && (Metadata.deleting(pod) || !available(set, pod))) {
                return true;
            }
        }
        return false;
    }

    /** Pods below the partition are made as they were. */
    private static ObjectNode revisionFor(
            ObjectNode set, int ordinal, int start, ObjectNode current, ObjectNode update) {
        JsonNode partition =
                set.path("spec").path("updateStrategy").path("rollingUpdate").path("partition");
        boolean rolling = !set.path("spec")
                .path("updateStrategy")
                .path("type")
                .asString("")
                .equals("OnDelete");
        return rolling && ordinal < start + partition.asInt(0) ? current : update;
    }

    private boolean shrink(ObjectNode set, List<ObjectNode> pods, int start, int end, boolean inOrder) {
        List<ObjectNode> surplus = pods.stream()
                .filter(pod -> StatefulPods.ordinal(set, pod) >= end || StatefulPods.ordinal(set, pod) < start)
                .sorted(Comparator.comparingInt((ObjectNode pod) -> StatefulPods.ordinal(set, pod))
                        .reversed())
                .toList();
        for (ObjectNode pod : surplus) {
            if (!Metadata.deleting(pod)) {
                delete(set, pod);
            }
            if (inOrder) {
                return true;
            }
        }
        return !surplus.isEmpty();
    }

    private void replaceOutdated(
            ObjectNode set, Map<Integer, ObjectNode> byOrdinal, int start, int end, ObjectNode update) {
        JsonNode strategy = set.path("spec").path("updateStrategy");
        if (strategy.path("type").asString("").equals("OnDelete")) {
            return;
        }
        int lowest = start + strategy.path("rollingUpdate").path("partition").asInt(0);
        JsonNode limit = strategy.path("rollingUpdate").path("maxUnavailable");
        int mayMiss = limit.isMissingNode() || limit.isNull()
                ? 1
                : Math.max(1, RollingLimits.scaled(limit, end - start, true));
        long missing = byOrdinal.values().stream()
                .filter(pod -> Metadata.deleting(pod) || !available(set, pod))
                .count();
        for (int ordinal = end - 1; ordinal >= lowest && missing < mayMiss; ordinal--) {
            ObjectNode pod = byOrdinal.get(ordinal);
            if (pod != null
                    && !Metadata.deleting(pod)
                    && !StatefulPods.revision(pod).equals(Metadata.name(update))) {
                delete(set, pod);
                missing++;
            }
        }
    }

    private boolean available(ObjectNode set, ObjectNode pod) {
        Instant now = context.timers().instant();
        return Pods.available(pod, set.path("spec").path("minReadySeconds").asLong(0), now);
    }

    private void create(ObjectNode set, int ordinal, ObjectNode revision) {
        for (JsonNode template : set.path("spec").path("volumeClaimTemplates")) {
            createClaim(set, template, ordinal);
        }
        ObjectNode pod = StatefulPods.create(set, revision, ordinal);
        String about = "Pod " + Metadata.name(pod) + " in StatefulSet " + Metadata.name(set);
        try {
            client.create(Kinds.PODS, Metadata.namespace(set), pod);
            events.normal(set, "SuccessfulCreate", "create " + about + " successful");
        } catch (ApiException e) {
            if (e.reason() == io.atoll.model.StatusReason.AlreadyExists) {
                // The cache is behind, or an orphan has the name; either will be seen.
                return;
            }
            if (!PodControl.namespaceTerminating(e)) {
                events.warning(set, "FailedCreate", "create " + about + " failed error: " + e.getMessage());
            }
            throw e;
        }
    }

    private void createClaim(ObjectNode set, JsonNode template, int ordinal) {
        String name = StatefulPods.claimName(set, Metadata.name(template), ordinal);
        Optional<?> present = context.cache().get(Kinds.PERSISTENT_VOLUME_CLAIMS, Metadata.namespace(set), name);
        if (present.isPresent()) {
            return;
        }
        try {
            client.create(
                    Kinds.PERSISTENT_VOLUME_CLAIMS,
                    Metadata.namespace(set),
                    StatefulPods.claim(set, template, ordinal));
            events.normal(
                    set,
                    "SuccessfulCreate",
                    "create Claim " + name + " Pod " + Metadata.name(set) + "-" + ordinal + " in StatefulSet "
                            + Metadata.name(set) + " success");
        } catch (ApiException e) {
            if (e.code() != 409) {
                throw e;
            }
        }
    }

    private void delete(ObjectNode set, ObjectNode pod) {
        String about = "Pod " + Metadata.name(pod) + " in StatefulSet " + Metadata.name(set);
        try {
            client.delete(
                    Kinds.PODS,
                    Metadata.namespace(pod),
                    Metadata.name(pod),
                    new Client.DeleteOptions(-1, "", Metadata.uid(pod)));
            events.normal(set, "SuccessfulDelete", "delete " + about + " successful");
        } catch (ApiException e) {
            if (e.code() == 404 || e.code() == 409) {
                return;
            }
            events.warning(set, "FailedDelete", "delete " + about + " failed error: " + e.getMessage());
            throw e;
        }
    }
}
