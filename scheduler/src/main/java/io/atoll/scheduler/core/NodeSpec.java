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

    public NodeSpec {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        allocatable = Map.copyOf(allocatable);
    }
}
