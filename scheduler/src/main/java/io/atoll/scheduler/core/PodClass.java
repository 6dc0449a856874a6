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
    private NodeVerdict[] verdicts = new NodeVerdict[0];
    private long[] verdictGenerations = new long[0];

    PodClass(PodShape shape, ResourceColumns resources) {
        this.shape = shape;
        TreeMap<Integer, Long> byColumn = new TreeMap<>();
        boolean accelerator = false;
        for (Map.Entry<String, Long> request : shape.requests().entrySet()) {
            if (request.getValue() > 0) {
                byColumn.put(resources.of(request.getKey()), request.getValue());
                accelerator |= ResourceColumns.isAccelerator(request.getKey());
            }
        }
        columns = byColumn.keySet().stream().mapToInt(Integer::intValue).toArray();
        amounts = byColumn.values().stream().mapToLong(Long::longValue).toArray();
        wantsAccelerator = accelerator;
        scoredCpu = shape.requests().getOrDefault("cpu", NON_ZERO_CPU);
        scoredMemory = shape.requests().getOrDefault("memory", NON_ZERO_MEMORY);
    }

    public PodShape shape() {
        return shape;
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
