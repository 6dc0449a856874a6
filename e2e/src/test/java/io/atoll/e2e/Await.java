package io.atoll.e2e;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what another process will do. */
final class Await {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private Await() {}

    /** Calls until the check passes; rethrows its last failure when {@link Shell#PATIENCE} is over. */
    static <T> T until(Supplier<T> check) {
        long deadline = System.nanoTime() + Shell.PATIENCE.toNanos();
        while (true) {
            try {
                return check.get();
            } catch (AssertionError failure) {
                if (System.nanoTime() > deadline) {
                    throw failure;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    static void until(Runnable check) {
        until(() -> {
            check.run();
            return true;
        });
    }
}
