package io.atoll.scheduler.core;

import java.util.HashMap;
import java.util.Map;

/** How many pods one topology spread constraint counts in each domain, for one pod in one state of the snapshot. */
final class SpreadCount {
    private static final String UNEVEN = "node(s) didn't match pod topology spread constraints";
    private static final String UNLABELLED = UNEVEN + " (missing required label)";

    private final SpreadConstraint constraint;
    private final Map<String, Integer> counts = new HashMap<>();
    private final int least;
    private final int self;

    SpreadCount(ClusterSnapshot snapshot, PendingPod pod, SpreadConstraint constraint) {
        this.constraint = constraint;
        PodShape shape = pod.podClass().shape();
        for (ClusterSnapshot.Node node : snapshot.slots()) {
            if (node != null && counted(shape, node.spec())) {
                counts.merge(
                        node.spec().labels().getOrDefault(constraint.topologyKey(), ""),
                        matching(node, pod.namespace()),
                        Integer::sum);
            }
        }
        boolean tooFewDomains = counts.size() < constraint.minDomains();
        least = tooFewDomains
                ? 0
                : counts.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        self = constraint.selector().matches(pod.labels()) ? 1 : 0;
    }

    boolean check(ClusterSnapshot.Node node, Rejections rejections) {
        if (!constraint.required()) {
            return true;
        }
        String value = node.spec().labels().get(constraint.topologyKey());
        if (value == null) {
            rejections.add(UNLABELLED);
            rejections.markBeyondPreemption();
            return false;
        }
        if (counts.getOrDefault(value, 0) + self - least > constraint.maxSkew()) {
            rejections.add(UNEVEN);
            return false;
        }
        return true;
    }

    long crowding(ClusterSnapshot.Node node) {
        String value = node.spec().labels().get(constraint.topologyKey());
        if (constraint.required() || value == null) {
            return 0;
        }
        return counts.getOrDefault(value, 0);
    }

    /** A node counts when it has the labels of all required constraints and the pod could go there by its policies. */
    private boolean counted(PodShape shape, NodeSpec node) {
        for (SpreadConstraint other : shape.spread()) {
            if (other.required() == constraint.required() && !node.labels().containsKey(other.topologyKey())) {
                return false;
            }
        }
        return (!constraint.honourNodeAffinity() || shape.selects(node))
                && (!constraint.honourNodeTaints() || shape.toleratesAll(node));
    }

    private int matching(ClusterSnapshot.Node node, String namespace) {
        int count = 0;
        for (PlacedPod placed : node.pods()) {
            if (!placed.terminating()
                    && placed.namespace().equals(namespace)
                    && constraint.selector().matches(placed.labels())) {
                count++;
            }
        }
        return count;
    }
}
