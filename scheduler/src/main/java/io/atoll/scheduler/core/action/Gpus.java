package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.ClusterSnapshot;

/**
 * How much memory the GPUs of a cluster have, in MiB.
 *
 * @param least of the smallest GPU; 0 when no node says
 * @param most of the largest; 0 when no node says
 */
record Gpus(long least, long most) {
    static Gpus of(ClusterSnapshot snapshot) {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (ClusterSnapshot.Node node : snapshot.nodes()) {
            long memory = node.hasAccelerator() ? node.spec().gpuMemoryMebibytes() : 0;
            if (memory > 0) {
                least = Math.min(least, memory);
                most = Math.max(most, memory);
            }
        }
        return new Gpus(most == 0 ? 0 : least, most);
    }
}
