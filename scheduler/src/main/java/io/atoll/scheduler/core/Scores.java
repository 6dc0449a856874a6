package io.atoll.scheduler.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses among the nodes that can take a pod.
 *
 * <p>Pods that want GPUs are packed onto the nodes whose GPUs are fullest; other pods stay off GPU nodes when they can
 * and spread over the rest. Preferences weigh as in Kubernetes. Ties go by a seeded hash of the node's name, so that
 * the choice depends on neither the order of arrival nor a map.
 */
final class Scores {
    private static final long FULL = 100;
    private static final long AFFINITY_WEIGHT = 2;
    private static final long TAINT_WEIGHT = 3;
    private static final long POD_AFFINITY_WEIGHT = 2;
    private static final long SPREAD_WEIGHT = 2;
    private static final long RESOURCE_WEIGHT = 1;
    private static final long ACCELERATOR_WEIGHT = 10;

    private final ClusterSnapshot snapshot;
    private final long seed;

    Scores(ClusterSnapshot snapshot, long seed) {
        this.snapshot = snapshot;
        this.seed = seed;
    }

    /** The best of several nodes. */
    ClusterSnapshot.Node best(PendingPod pod, List<ClusterSnapshot.Node> candidates, @Nullable PodRules rules) {
        if (candidates.size() == 1) {
            return candidates.getFirst();
        }
        PodClass podClass = pod.podClass();
        long[] totals = new long[candidates.size()];
        for (int i = 0; i < totals.length; i++) {
            totals[i] = resources(podClass, candidates.get(i));
        }
        PodShape shape = podClass.shape();
        if (!shape.preferredNodes().isEmpty()) {
            addNormalised(totals, AFFINITY_WEIGHT, false, i -> nodePreference(shape, candidates.get(i)));
        }
        addNormalised(totals, TAINT_WEIGHT, true, i -> taintsDisliked(shape, candidates.get(i)));
        if (rules != null) {
            addNormalised(totals, POD_AFFINITY_WEIGHT, false, i -> rules.preference(candidates.get(i)));
            addNormalised(totals, SPREAD_WEIGHT, true, i -> rules.crowding(candidates.get(i)));
        }
        int best = 0;
        for (int i = 1; i < totals.length; i++) {
            if (totals[i] > totals[best]
                    || (totals[i] == totals[best] && precedes(candidates.get(i), candidates.get(best)))) {
                best = i;
            }
        }
        return candidates.get(best);
    }

    private boolean precedes(ClusterSnapshot.Node left, ClusterSnapshot.Node right) {
        int byHash = Long.compareUnsigned(mix(left.nameHash()), mix(right.nameHash()));
        return byHash != 0
                ? byHash < 0
                : left.spec().name().compareTo(right.spec().name()) < 0;
    }

    private long mix(long hash) {
        long mixed = (hash ^ seed) * 0x9E3779B97F4A7C15L;
        return (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    }

    private long resources(PodClass podClass, ClusterSnapshot.Node node) {
        long busy = (share(node.scoredCpu() + podClass.scoredCpu, snapshot.allocatable(node, ResourceColumns.CPU))
                        + share(
                                node.scoredMemory() + podClass.scoredMemory,
                                snapshot.allocatable(node, ResourceColumns.MEMORY)))
                / 2;
        if (podClass.wantsAccelerator) {
            return ACCELERATOR_WEIGHT * acceleratorUse(podClass, node) + RESOURCE_WEIGHT * busy;
        }
        long kept = node.hasAccelerator() ? 0 : FULL;
        return ACCELERATOR_WEIGHT * kept + RESOURCE_WEIGHT * (FULL - busy);
    }

    /** How full the accelerators that the pod asks for would be. */
    private long acceleratorUse(PodClass podClass, ClusterSnapshot.Node node) {
        long sum = 0;
        int count = 0;
        for (int i = 0; i < podClass.columns.length; i++) {
            int column = podClass.columns[i];
            if (ResourceColumns.isAccelerator(snapshot.resources().name(column))) {
                sum += share(snapshot.used(node, column) + podClass.amounts[i], snapshot.allocatable(node, column));
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    private static long share(long used, long allocatable) {
        return allocatable <= 0 ? FULL : Math.min(FULL, Math.round((double) used / allocatable * FULL));
    }

    private static long nodePreference(PodShape shape, ClusterSnapshot.Node node) {
        long sum = 0;
        for (PodShape.Weighted<NodeTerm> preference : shape.preferredNodes()) {
            if (preference.term().matches(node.spec())) {
                sum += preference.weight();
            }
        }
        return sum;
    }

    private static long taintsDisliked(PodShape shape, ClusterSnapshot.Node node) {
        long count = 0;
        for (Taint taint : node.spec().taints()) {
            if (!taint.repels() && !Toleration.anyTolerates(shape.tolerations(), taint)) {
                count++;
            }
        }
        return count;
    }

    private interface ScoreOf {
        long at(int candidate);
    }

    /** Adds a score stretched over 0 to 100; the least scores 100 when reversed. */
    private static void addNormalised(long[] totals, long weight, boolean reversed, ScoreOf score) {
        long[] scores = new long[totals.length];
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < scores.length; i++) {
            scores[i] = score.at(i);
            least = Math.min(least, scores[i]);
            most = Math.max(most, scores[i]);
        }
        if (least == most) {
            return;
        }
        for (int i = 0; i < scores.length; i++) {
            long distance = reversed ? most - scores[i] : scores[i] - least;
            totals[i] += weight * (distance * FULL / (most - least));
        }
    }
}
