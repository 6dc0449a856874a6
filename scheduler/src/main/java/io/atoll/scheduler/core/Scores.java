package io.atoll.scheduler.core;

/**
 * How good a node is for a pod, as far as node and pod alone tell; see {@link PodRules} for other pods' part.
 *
 * <p>Pods that want GPUs are packed onto the nodes whose GPUs are fullest; other pods stay off GPU nodes when they can
 * and spread over the rest. Preferences weigh as in Kubernetes. Each part is 0 to 100 on its own, not stretched over
 * the candidates: so a node's score changes only when the node does. Stateless.
 */
final class Scores {
    static final long FULL = 100;
    private static final long AFFINITY_WEIGHT = 2;
    private static final long TAINT_WEIGHT = 3;
    private static final long RESOURCE_WEIGHT = 1;
    private static final long ACCELERATOR_WEIGHT = 10;

    /** Taints that repel a little after which one more makes no difference. */
    private static final long DISLIKED_TAINTS_MAX = 4;

    private Scores() {}

    static long of(ClusterSnapshot snapshot, PodClass podClass, ClusterSnapshot.Node node) {
        PodShape shape = podClass.shape();
        return resources(snapshot, podClass, node) + preferences(shape, node);
    }

    /** What the pod's wishes about nodes add; from 0 to 500. */
    static long preferences(PodShape shape, ClusterSnapshot.Node node) {
        return AFFINITY_WEIGHT * nodePreference(shape, node) + TAINT_WEIGHT * taintTolerance(shape, node);
    }

    private static long resources(ClusterSnapshot snapshot, PodClass podClass, ClusterSnapshot.Node node) {
        long cpu = share(node.scoredCpu() + podClass.scoredCpu, snapshot.allocatable(node, ResourceColumns.CPU));
        long memory =
                share(node.scoredMemory() + podClass.scoredMemory, snapshot.allocatable(node, ResourceColumns.MEMORY));
        long busy = (cpu + memory) / 2;
        if (podClass.wantsAccelerator) {
            return ACCELERATOR_WEIGHT * acceleratorUse(snapshot, podClass, node) + RESOURCE_WEIGHT * busy;
        }
        long kept = node.hasAccelerator() ? 0 : FULL;
        return ACCELERATOR_WEIGHT * kept + RESOURCE_WEIGHT * (FULL - busy);
    }

    /** How full the accelerators that the pod asks for would be. */
    private static long acceleratorUse(ClusterSnapshot snapshot, PodClass podClass, ClusterSnapshot.Node node) {
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
        long all = 0;
        long met = 0;
        for (PodShape.Weighted<NodeTerm> preference : shape.preferredNodes()) {
            all += preference.weight();
            met += preference.term().matches(node.spec()) ? preference.weight() : 0;
        }
        return all == 0 ? 0 : met * FULL / all;
    }

    private static long taintTolerance(PodShape shape, ClusterSnapshot.Node node) {
        long disliked = 0;
        for (Taint taint : node.spec().taints()) {
            if (!taint.repels() && !Toleration.anyTolerates(shape.tolerations(), taint)) {
                disliked++;
            }
        }
        return FULL - Math.min(disliked, DISLIKED_TAINTS_MAX) * FULL / DISLIKED_TAINTS_MAX;
    }
}
