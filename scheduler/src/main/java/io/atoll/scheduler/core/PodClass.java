package io.atoll.scheduler.core;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pods of one shape in one snapshot, with the shape's requests as columns and what is known of each node.
 *
 * <p>Confined to the thread that owns the snapshot. Nodes that have changed are looked at anew.
 */
public final class PodClass {
    /** Assumed for scoring when a pod asks for no CPU, in thousandths, so that such pods spread. */
    private static final long NON_ZERO_CPU = 100;

    private static final long NON_ZERO_MEMORY = 200L << 20;

    private final PodShape shape;
    final int[] columns;
    final long[] amounts;
    final boolean wantsAccelerator;
    final long scoredCpu;
    final long scoredMemory;
    private final long wholeGpus;
    private NodeVerdict[] verdicts = new NodeVerdict[0];
    private long[] verdictGenerations = new long[0];

    PodClass(PodShape shape, ResourceColumns resources) {
        this.shape = shape;
        TreeMap<Integer, Long> byColumn = new TreeMap<>();
        boolean accelerator = !shape.gpuShare().isNone();
        long gpus = 0;
        for (Map.Entry<String, Long> request : shape.requests().entrySet()) {
            if (request.getValue() > 0) {
                byColumn.put(resources.of(request.getKey()), request.getValue());
                accelerator |= ResourceColumns.isAccelerator(request.getKey());
                gpus += request.getValue()
                        * (request.getKey().equals(NodeSpec.GPU) ? GpuShare.WHOLE : MigProfile.share(request.getKey()));
            }
        }
        columns = byColumn.keySet().stream().mapToInt(Integer::intValue).toArray();
        amounts = byColumn.values().stream().mapToLong(Long::longValue).toArray();
        wantsAccelerator = accelerator;
        wholeGpus = gpus;
        scoredCpu = shape.requests().getOrDefault("cpu", NON_ZERO_CPU);
        scoredMemory = shape.requests().getOrDefault("memory", NON_ZERO_MEMORY);
    }

    public PodShape shape() {
        return shape;
    }

    /** Whether the pods ask for GPUs: whole, shared or sliced. */
    public boolean wantsGpus() {
        return wantsAccelerator;
    }

    /**
     * What a pod counts of GPUs, in millionths: whole ones, parts and MIG slices by their share.
     *
     * @param gpuMemoryMebibytes of the GPUs that a part in MiB is a part of; 0 when that is not known
     */
    public long gpus(long gpuMemoryMebibytes) {
        GpuShare share = shape.gpuShare();
        return share.isNone() ? wholeGpus : wholeGpus + share.devices() * share.portionOf(gpuMemoryMebibytes);
    }

    /** What a pod asks for of CPU, in thousandths. */
    public long cpu() {
        return shape.requests().getOrDefault("cpu", 0L);
    }

    /** What a pod asks for of memory, in bytes. */
    public long memory() {
        return shape.requests().getOrDefault("memory", 0L);
    }

    /** Whether other pods matter to where these may go. */
    public boolean dependsOnPods() {
        return shape.hasPodRules();
    }

    /** What the node itself, without its pods, says to the shape. */
    NodeVerdict verdict(ClusterSnapshot.Node node) {
        int slot = node.slot();
        if (slot >= verdicts.length) {
            int size = Math.max(16, Integer.highestOneBit(slot) * 2);
            verdicts = Arrays.copyOf(verdicts, size);
            verdictGenerations = Arrays.copyOf(verdictGenerations, size);
        }
        if (verdictGenerations[slot] != node.generation()) {
            verdicts[slot] = NodeVerdict.of(shape, node.spec());
            verdictGenerations[slot] = node.generation();
        }
        return verdicts[slot];
    }
}
