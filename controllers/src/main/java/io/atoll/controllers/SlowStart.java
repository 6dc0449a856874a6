package io.atoll.controllers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Does many alike things in batches of 1, 2, 4 and so on, each batch at once, and stops at the first batch with a
 * failure: when all would fail, few are tried.
 */
final class SlowStart {
    /** How many went well, and why the first of the others did not. */
    record Outcome(int succeeded, @Nullable RuntimeException failure) {}

    private SlowStart() {}

    static Outcome run(int count, IntConsumer action) {
        int done = 0;
        int succeeded = 0;
        for (int batch = Math.min(1, count); batch > 0; batch = Math.min(2 * batch, count - done)) {
            Outcome outcome = batch(done, batch, action);
            done += batch;
            succeeded += outcome.succeeded;
            if (outcome.failure != null) {
                return new Outcome(succeeded, outcome.failure);
            }
        }
        return new Outcome(succeeded, null);
    }

    private static Outcome batch(int from, int size, IntConsumer action) {
        if (size == 1) {
            try {
                action.accept(from);
                return new Outcome(1, null);
            } catch (RuntimeException e) {
                return new Outcome(0, e);
            }
        }
        List<Future<?>> futures = new ArrayList<>(size);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = from; i < from + size; i++) {
                int index = i;
                futures.add(executor.submit(() -> action.accept(index)));
            }
        }
        int succeeded = 0;
        RuntimeException failure = null;
        for (Future<?> future : futures) {
            try {
                future.get();
                succeeded++;
            } catch (ExecutionException e) {
                failure = e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = new IllegalStateException(e);
            }
        }
        return new Outcome(succeeded, failure);
    }
}
