package io.atoll.scheduler.core;

import java.util.List;
import java.util.Optional;

/** Whether a node has room for a pod: ports, then resources. Stateless. */
final class Fit {
    /** When a node has room for a pod. */
    enum Room {
        NONE,
        /** Once others have left. */
        LATER,
        NOW
    }

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

    /** When the node takes the pod, with what leaving pods give back and what awaited ones were promised. */
    static Room room(ClusterSnapshot snapshot, PodClass podClass, ClusterSnapshot.Node node, boolean packGpus) {
        if (podClass.verdict(node) != NodeVerdict.FITS || !portsAreFree(podClass, node)) {
            return Room.NONE;
        }
        boolean now = true;
        for (int i = 0; i < podClass.columns.length; i++) {
            int column = podClass.columns[i];
            if (podClass.amounts[i] > snapshot.idleLater(node, column)) {
                return Room.NONE;
            }
            now &= podClass.amounts[i] <= snapshot.idle(node, column);
        }
        long slots = 1;
        if (!podClass.shape().gpuShare().isNone()) {
            Optional<GpuShares.Choice> choice = gpus(snapshot, podClass, node, packGpus);
            if (choice.isEmpty()) {
                return Room.NONE;
            }
            now &= choice.get().now();
            slots += choice.get().opened(); // each shared GPU is kept by a reservation pod
        }
        if (slots > snapshot.idleLater(node, ResourceColumns.PODS)) {
            return Room.NONE;
        }
        return now && slots <= snapshot.idle(node, ResourceColumns.PODS) ? Room.NOW : Room.LATER;
    }

    /** Whether a pod that leaves the node, and these shared GPUs of it, could stay. */
    static boolean roomAgain(
            ClusterSnapshot snapshot, PodClass podClass, ClusterSnapshot.Node node, List<String> gpuGroups) {
        if (podClass.verdict(node) != NodeVerdict.FITS || snapshot.idleLater(node, ResourceColumns.PODS) < 1) {
            return false;
        }
        for (int i = 0; i < podClass.columns.length; i++) {
            if (podClass.amounts[i] > snapshot.idleLater(node, podClass.columns[i])) {
                return false;
            }
        }
        long portion = podClass.shape().gpuShare().portionOn(node.spec());
        long opened = 0;
        for (String group : gpuGroups) {
            if (node.gpuShares().freeLater(group) < portion) {
                return false;
            }
            opened += node.gpuShares().isLeft(group) ? 1 : 0;
        }
        return opened <= snapshot.idleLater(node, ResourceColumns.GPU);
    }

    /** The shared GPUs of the node that the pod would have parts of. */
    static Optional<GpuShares.Choice> gpus(
            ClusterSnapshot snapshot, PodClass podClass, ClusterSnapshot.Node node, boolean pack) {
        GpuShare share = podClass.shape().gpuShare();
        return node.gpuShares()
                .choose(
                        share.portionOn(node.spec()),
                        share.devices(),
                        snapshot.idle(node, ResourceColumns.GPU),
                        snapshot.idleLater(node, ResourceColumns.GPU),
                        pack);
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
        GpuShare share = podClass.shape().gpuShare();
        if (fits && !share.isNone() && room(snapshot, podClass, node, true) == Room.NONE) {
            rejections.add(
                    share.portionOn(node.spec()) > GpuShare.WHOLE ? Rejections.GPU_TOO_SMALL : Rejections.NO_GPU_PART);
            fits = false;
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
