package io.atoll.controllers;

import io.atoll.model.Metadata;
import io.atoll.model.pod.PodPhase;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which pods go first when there are too many: those that serve least. Unassigned before assigned, pending before
 * running, not ready before ready, lower deletion cost, fuller nodes, ready for a shorter time, more restarts, newer.
 */
final class DeletionOrder {
    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    private final Instant now;

    DeletionOrder(Instant now) {
        this.now = now;
    }

    List<ObjectNode> first(List<ObjectNode> pods, int count) {
        Map<String, Integer> perNode = new HashMap<>();
        for (ObjectNode pod : pods) {
            perNode.merge(node(pod), 1, Integer::sum);
        }
        Comparator<ObjectNode> order = Comparator.<ObjectNode, Boolean>comparing(Pods::scheduled)
                .thenComparingInt(DeletionOrder::phaseRank)
                .thenComparing(Pods::ready)
                .thenComparingInt(DeletionOrder::cost)
                .thenComparing(pod -> perNode.getOrDefault(node(pod), 0), Comparator.reverseOrder())
                .thenComparing(pod -> Pods.readySince(pod).orElse(now), Comparator.reverseOrder())
                .thenComparing(Pods::restarts, Comparator.reverseOrder())
                .thenComparing(Metadata::creationTimestamp, Comparator.reverseOrder());
        return pods.stream().sorted(order).limit(count).toList();
    }

    private static String node(ObjectNode pod) {
        return pod.path("spec").path("nodeName").asString("");
    }

    private static int phaseRank(ObjectNode pod) {
        return switch (PodPhase.of(pod)) {
            case "Pending" -> 0;
            case "Unknown" -> 1;
            default -> 2;
        };
    }

    private static int cost(ObjectNode pod) {
        try {
            return Integer.parseInt(Metadata.annotation(pod, DELETION_COST));
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
