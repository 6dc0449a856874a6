package io.atoll.scheduler.core;

import java.util.List;
import java.util.Map;

/**
 * What scheduling needs to know of a node.
 *
 * @param allocatable by resource name; cpu in thousandths, all else in whole units
 */
public record NodeSpec(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        boolean unschedulable,
        Map<String, Long> allocatable) {
    /** What Kubernetes puts on a cordoned node. */
    static final Taint UNSCHEDULABLE_TAINT =
            new Taint("node.kubernetes.io/unschedulable", "", Taint.Effect.NO_SCHEDULE);

    /** The resource that counts whole GPUs. */
    public static final String GPU = "nvidia.com/gpu";

    private static final String GPU_MEMORY_LABEL = "nvidia.com/gpu.memory";

    /** Above this the label's value is read as bytes: no GPU has a tebibyte of MiB. */
    private static final long MEBIBYTES_MAX = 1L << 24;

    public NodeSpec {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        allocatable = Map.copyOf(allocatable);
    }

    /** The memory of one GPU in MiB, as the node's label says it; 0 when it does not. */
    public long gpuMemoryMebibytes() {
        String label = labels.get(GPU_MEMORY_LABEL);
        if (label == null
                || label.isEmpty()
                || label.length() > 18
                || !label.chars().allMatch(Character::isDigit)) {
            return 0;
        }
        long value = Long.parseLong(label);
        return value > MEBIBYTES_MAX ? value >> 20 : value;
    }

    /** Whether the node has GPUs, whole or as slices. */
    public boolean hasGpus() {
        return allocatable.entrySet().stream()
                .anyMatch(entry -> entry.getValue() > 0 && ResourceColumns.isAccelerator(entry.getKey()));
    }
}
