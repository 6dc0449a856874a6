package io.atoll.scheduler.core;

/** Whether a node has room for a pod: ports, then resources. Stateless. */
final class Fit {
    private Fit() {}

    /** Whether the node takes the pod, its own conditions included. */
    static boolean fits(ClusterSnapshot snapshot, PodClass podClass, ClusterSnapshot.Node node) {
        if (podClass.verdict(node) != NodeVerdict.FITS
                || !portsAreFree(podClass, node)
                || snapshot.used(node, ResourceColumns.PODS) + 1 > snapshot.allocatable(node, ResourceColumns.PODS)) {
            return false;
        }
        for (int i = 0; i < podClass.columns.length; i++) {
            int column = podClass.columns[i];
            if (podClass.amounts[i] > snapshot.allocatable(node, column) - snapshot.used(node, column)) {
                return false;
            }
        }
        return true;
    }

    /** Counts what is lacking; answers whether nothing is. */
    static boolean check(
            ClusterSnapshot snapshot, PodClass podClass, ClusterSnapshot.Node node, Rejections rejections) {
        if (!portsAreFree(podClass, node)) {
            rejections.add(Rejections.NO_PORTS);
            return false;
        }
        boolean fits = true;
        boolean evictionHelps = true;
        if (snapshot.used(node, ResourceColumns.PODS) + 1 > snapshot.allocatable(node, ResourceColumns.PODS)) {
            rejections.add(Rejections.TOO_MANY_PODS);
            fits = false;
        }
        for (int i = 0; i < podClass.columns.length; i++) {
            int column = podClass.columns[i];
            long wanted = podClass.amounts[i];
            long allocatable = snapshot.allocatable(node, column);
            if (wanted > allocatable - snapshot.used(node, column)) {
                rejections.add("Insufficient " + snapshot.resources().name(column));
                fits = false;
                evictionHelps &= wanted <= allocatable;
            }
        }
        if (!evictionHelps) {
            rejections.markBeyondPreemption();
        }
        return fits;
    }

    private static boolean portsAreFree(PodClass podClass, ClusterSnapshot.Node node) {
        if (podClass.shape().hostPorts().isEmpty() || node.hostPorts().isEmpty()) {
            return true;
        }
        for (HostPort wanted : podClass.shape().hostPorts()) {
            for (HostPort taken : node.hostPorts()) {
                if (wanted.conflictsWith(taken)) {
                    return false;
                }
            }
        }
        return true;
    }
}
