package io.atoll.scheduler;

import io.atoll.reconcile.ObjectKey;
import io.atoll.scheduler.core.PendingPod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The pods that have no node: those to be looked at next, and those that wait for something to change.
 *
 * <p>Confined to the scheduling loop.
 */
final class PodQueue {
    /** A pod in the queue. */
    record Queued(ObjectKey key, String schedulerName, PendingPod pod) {}

    private final Map<ObjectKey, Queued> pods = new HashMap<>();
    private final Set<ObjectKey> ready = new HashSet<>();
    private final Set<ObjectKey> backingOff = new HashSet<>();
    private final Map<ObjectKey, Integer> failures = new HashMap<>();

    /** Adds a pod; one that is here as it was keeps waiting. */
    void put(Queued queued) {
        Queued before = pods.put(queued.key, queued);
        if (!queued.equals(before) && !backingOff.contains(queued.key)) {
            ready.add(queued.key);
        }
    }

    Optional<Queued> find(ObjectKey key) {
        return Optional.ofNullable(pods.get(key));
    }

    /** Takes a pod out; answers whether it was here. */
    boolean remove(ObjectKey key) {
        ready.remove(key);
        backingOff.remove(key);
        failures.remove(key);
        return pods.remove(key) != null;
    }

    /** Puts a pod back after its binding failed; it is ready again at {@link #endBackoff}. */
    int putBack(Queued queued, int failuresBefore) {
        pods.put(queued.key, queued);
        ready.remove(queued.key);
        backingOff.add(queued.key);
        failures.put(queued.key, failuresBefore + 1);
        return failuresBefore + 1;
    }

    int failures(ObjectKey key) {
        return failures.getOrDefault(key, 0);
    }

    void endBackoff(ObjectKey key) {
        if (backingOff.remove(key) && pods.containsKey(key)) {
            ready.add(key);
        }
    }

    /** Marks waiting pods as worth another look. */
    void wake(Predicate<PendingPod> which) {
        for (Queued queued : pods.values()) {
            if (!backingOff.contains(queued.key) && which.test(queued.pod)) {
                ready.add(queued.key);
            }
        }
    }

    /** The pods to look at now; they wait from now on unless they are removed. */
    List<PendingPod> takeReady() {
        List<PendingPod> taken = new ArrayList<>(ready.size());
        for (ObjectKey key : ready) {
            find(key).ifPresent(queued -> taken.add(queued.pod));
        }
        ready.clear();
        return taken;
    }
}
