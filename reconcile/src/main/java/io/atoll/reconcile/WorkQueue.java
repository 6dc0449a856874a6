package io.atoll.reconcile;

import io.atoll.base.Backoff;
import io.atoll.base.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/**
 * Keys that wait for work, each at most once. Any thread; everything is guarded by the instance's lock.
 *
 * <p>A key that is added while it is worked on waits until {@link #done} and is then handed out again, so no two
 * workers ever have the same key and no change is missed. Bounded by the number of distinct keys.
 */
public final class WorkQueue<K> {
    private final Timers timers;
    private final Backoff backoff;
    private final Runnable onReady;
    private final Queue<K> ready = new ArrayDeque<>();
    private final Set<K> waiting = new HashSet<>();
    private final Set<K> working = new HashSet<>();
    private final Map<K, Delayed> delayed = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private boolean closed;

    /** @param onReady called, outside the lock, after a key has become ready to be taken */
    public WorkQueue(Timers timers, Backoff backoff, Runnable onReady) {
        this.timers = timers;
        this.backoff = backoff;
        this.onReady = onReady;
    }

    public void add(K key) {
        if (enqueue(key)) {
            onReady.run();
        }
    }

    /** Adds the key later. Of several delays for a key the earliest counts. */
    public void addAfter(K key, Duration delay) {
        if (!delay.isPositive()) {
            add(key);
            return;
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            Instant due = timers.instant().plus(delay);
            Delayed known = delayed.get(key);
            if (known != null && !known.due.isAfter(due)) {
                return;
            }
            if (known != null) {
                known.timer.cancel();
            }
            delayed.put(key, new Delayed(due, timers.after(delay, () -> release(key, due))));
        }
    }

    /** Adds the key after a wait that grows with each call until {@link #forget}. */
    public void addRateLimited(K key) {
        int count;
        synchronized (this) {
            count = failures.merge(key, 1, Integer::sum);
        }
        addAfter(key, backoff.after(count));
    }

    /** How often the key has been added by {@link #addRateLimited} since it was last forgotten. */
    public synchronized int failures(K key) {
        return failures.getOrDefault(key, 0);
    }

    /** Ends the key's backoff. */
    public synchronized void forget(K key) {
        failures.remove(key);
    }

    /** Takes a ready key; the taker calls {@link #done} when it has worked on it. */
    public synchronized Optional<K> poll() {
        K key = ready.poll();
        if (key == null) {
            return Optional.empty();
        }
        waiting.remove(key);
        working.add(key);
        return Optional.of(key);
    }

    public void done(K key) {
        synchronized (this) {
            working.remove(key);
            if (!waiting.contains(key)) {
                return;
            }
            ready.add(key);
        }
        onReady.run();
    }

    /** Keys that are ready to be taken. */
    public synchronized int size() {
        return ready.size();
    }

    /** True when nothing is ready and nothing is worked on; delayed keys do not count. */
    public synchronized boolean idle() {
        return ready.isEmpty() && working.isEmpty();
    }

    /** Drops every key that waits; those that are worked on finish. */
    public synchronized void close() {
        closed = true;
        ready.clear();
        waiting.clear();
        failures.clear();
        delayed.values().forEach(entry -> entry.timer.cancel());
        delayed.clear();
    }

    private synchronized boolean enqueue(K key) {
        if (closed || !waiting.add(key) || working.contains(key)) {
            return false;
        }
        ready.add(key);
        return true;
    }

    private void release(K key, Instant due) {
        synchronized (this) {
            Delayed known = delayed.get(key);
            if (known == null || !known.due.equals(due)) {
                return;
            }
            delayed.remove(key);
        }
        add(key);
    }

    private record Delayed(Instant due, Timers.Pending timer) {}
}
