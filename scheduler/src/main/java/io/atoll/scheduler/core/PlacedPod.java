package io.atoll.scheduler.core;

import java.util.Map;

/**
 * A pod that takes room on a node. Immutable.
 *
 * @param key namespace and name, with a slash
 * @param terminating whether it is being deleted; it keeps its room until it is gone
 */
public record PlacedPod(
        String key,
        String uid,
        String namespace,
        Map<String, String> labels,
        PodClass podClass,
        String node,
        boolean terminating) {}
