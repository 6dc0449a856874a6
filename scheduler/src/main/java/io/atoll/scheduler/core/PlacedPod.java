package io.atoll.scheduler.core;

import java.util.List;
import java.util.Map;

/**
 * A pod that takes room on a node. Immutable.
 *
 * @param key namespace and name, with a slash
 * @param hold how it takes its room
 * @param gpuGroups the shared GPUs it has a part of; empty when it shares none
 */
public record PlacedPod(
        String key,
        String uid,
        String namespace,
        Map<String, String> labels,
        PodClass podClass,
        String node,
        Hold hold,
        List<String> gpuGroups) {
    /** How a pod takes room. */
    public enum Hold {
        /** It is there, or on its way. */
        TAKEN,
        /** It is being deleted; it keeps its room until it is gone. */
        LEAVING,
        /** It waits for others to leave; the room they leave is promised to it. */
        AWAITED
    }

    public PlacedPod {
        gpuGroups = List.copyOf(gpuGroups);
    }

    public PlacedPod(
            String key,
            String uid,
            String namespace,
            Map<String, String> labels,
            PodClass podClass,
            String node,
            boolean terminating) {
        this(key, uid, namespace, labels, podClass, node, terminating ? Hold.LEAVING : Hold.TAKEN, List.of());
    }

    public boolean terminating() {
        return hold == Hold.LEAVING;
    }
}
