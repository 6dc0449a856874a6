package io.atoll.reconcile;

import io.atoll.base.Backoff;
import io.atoll.base.Timers;
import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link Reconciler} over a {@link WorkQueue}. Any thread may add keys.
 *
 * <p>Workers are virtual threads that exist only while keys are ready, at most {@code workersMax} of them: an idle
 * controller is a few empty maps.
 */
public final class Controller<K> implements AutoCloseable {
    /** As client-go's default rate limiter for controllers. */
    public static final Backoff DEFAULT_BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private final String name;
    private final int workersMax;
    private final Reconciler<K> reconciler;
    private final WorkQueue<K> queue;
    private final AtomicInteger workers = new AtomicInteger();
    private volatile boolean closed;

    public Controller(String name, Timers timers, int workersMax, Reconciler<K> reconciler) {
        this(name, timers, DEFAULT_BACKOFF, workersMax, reconciler);
    }

    public Controller(String name, Timers timers, Backoff backoff, int workersMax, Reconciler<K> reconciler) {
        this.name = name;
        this.workersMax = workersMax;
        this.reconciler = reconciler;
        this.queue = new WorkQueue<>(timers, backoff, this::startWorker);
    }

    public void enqueue(K key) {
        queue.add(key);
    }

    public void enqueueAfter(K key, Duration delay) {
        queue.addAfter(key, delay);
    }

    /** True when no key is ready or being worked on; keys that wait for their time do not count. */
    public boolean idle() {
        return queue.idle();
    }

    /** Drops the keys that wait. A reconcile that runs is not interrupted. */
    @Override
    public void close() {
        closed = true;
        queue.close();
    }

    private void startWorker() {
        while (true) {
            int running = workers.get();
            if (running >= workersMax || closed) {
                return;
            }
            if (workers.compareAndSet(running, running + 1)) {
                Thread.ofVirtual().name(name).start(this::work);
                return;
            }
        }
    }

    private void work() {
        while (true) {
            Optional<K> key = closed ? Optional.empty() : queue.poll();
            if (key.isPresent()) {
                process(key.get());
                continue;
            }
            workers.decrementAndGet();
            // A key may have come after the last look, when all workers still seemed busy.
            if (!closed && queue.size() > 0) {
                startWorker();
            }
            return;
        }
    }

    private void process(K key) {
        try {
            Reconciler.Result result = reconciler.reconcile(key);
            switch (result) {
                case Reconciler.Result.Done _ -> queue.forget(key);
                case Reconciler.Result.Retry _ -> queue.addRateLimited(key);
                case Reconciler.Result.After(Duration delay) -> {
                    queue.forget(key);
                    queue.addAfter(key, delay);
                }
            }
        } catch (ApiException e) {
            fail(key, e, e.reason() == StatusReason.Conflict || e.reason() == StatusReason.NotFound);
        } catch (RuntimeException e) {
            fail(key, e, false);
        } finally {
            queue.done(key);
        }
    }

    private void fail(K key, RuntimeException failure, boolean expected) {
        if (closed) {
            return;
        }
        if (expected) {
            LOG.debug("{}: {}: {}, trying again", name, key, failure.getMessage());
        } else if (failure instanceof ApiException) {
            LOG.warn("{}: {}: {}, trying again", name, key, failure.getMessage());
        } else {
            LOG.warn("{}: {} failed, trying again", name, key, failure);
        }
        queue.addRateLimited(key);
    }
}
