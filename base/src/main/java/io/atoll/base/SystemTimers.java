package io.atoll.base;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Real time, with one daemon thread that only starts virtual threads. */
final class SystemTimers implements Timers {
    static final SystemTimers SHARED = new SystemTimers();

    private final ScheduledThreadPoolExecutor executor;

    private SystemTimers() {
        executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("timers").factory());
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Instant instant() {
        return Instant.now();
    }

    @Override
    public Pending after(Duration delay, Runnable action) {
        Future<?> future = executor.schedule(
                () -> {
                    Thread.startVirtualThread(action);
                },
                Math.max(0, delay.toNanos()),
                TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }
}
