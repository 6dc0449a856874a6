package io.atoll.scheduler.core;

import java.util.Comparator;
import java.util.Map;

/**
 * A pod that waits for a node. Immutable.
 *
 * @param key namespace and name, with a slash
 * @param created in RFC 3339, which orders as text
 */
public record PendingPod(
        String key,
        String uid,
        String namespace,
        Map<String, String> labels,
        int priority,
        String created,
        PodClass podClass) {
    /** Who is served first: priority, then age, then name so that the order never depends on chance. */
    public static final Comparator<PendingPod> ORDER = Comparator.comparingInt(PendingPod::priority)
            .reversed()
            .thenComparing(PendingPod::created)
            .thenComparing(PendingPod::key);

    public PlacedPod on(String node) {
        return new PlacedPod(key, uid, namespace, labels, podClass, node, false);
    }
}
