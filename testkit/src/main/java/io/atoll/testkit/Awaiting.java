package io.atoll.testkit;

import io.atoll.client.ObjectCache;
import io.atoll.model.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waits for conditions by looking again at each change, up to a deadline. Any thread. */
public final class Awaiting {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Conditions may also depend on what no watched type shows. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final ObjectCache cache;

    public Awaiting(ObjectCache cache) {
        this.cache = cache;
    }

    /** The first value that the supplier comes up with. */
    public <T> T value(String what, List<ResourceType> types, Supplier<Optional<T>> supplier) {
        Semaphore changed = new Semaphore(0);
        List<ObjectCache.Subscription> subscriptions = new ArrayList<>();
        try {
            for (ResourceType type : types) {
                subscriptions.add(cache.subscribe(type, (before, after) -> changed.release()));
            }
            long end = System.nanoTime() + DEADLINE.toNanos();
            while (true) {
                changed.drainPermits();
                Optional<T> value = supplier.get();
                if (value.isPresent()) {
                    return value.get();
                }
                if (System.nanoTime() > end) {
                    throw new AssertionError("waited in vain for " + what + "; there is " + present(types));
                }
                changed.tryAcquire(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + what, e);
        } finally {
            subscriptions.forEach(ObjectCache.Subscription::close);
        }
    }

    private String present(List<ResourceType> types) {
        StringBuilder text = new StringBuilder();
        for (ResourceType type : types) {
            cache.list(type, "").forEach(object -> text.append('\n').append(object.tree()));
        }
        return text.toString();
    }
}
