package io.atoll.store.sqlite;

import io.atoll.store.Store.Change;
import io.atoll.store.Store.CommitResult;
import io.atoll.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a store's work one piece at a time, in order of arrival, on a borrowed thread; waiting commits become one batch.
 *
 * <p>Any thread submits and blocks for the answer. No thread is held while there is nothing to do.
 */
final class Writer {
    /** Pieces of work after which the thread is offered to other stores. */
    private static final int TURN_STEPS_MAX = 16;

    /** A commit that waits for its results. */
    record Commit(List<Change> changes, CompletableFuture<List<CommitResult>> results) implements Work {}

    record Task(Runnable action) implements Work {}

    sealed interface Work {}

    private final Executor threads;
    private final Consumer<List<Commit>> commitBatch;
    private final int batchChangesMax;
    private final int queuedCommitsMax;
    private final Queue<Work> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicInteger queuedCommits = new AtomicInteger();
    private volatile @Nullable Thread running;

    Writer(Executor threads, int batchChangesMax, int queuedCommitsMax, Consumer<List<Commit>> commitBatch) {
        this.threads = threads;
        this.batchChangesMax = batchChangesMax;
        this.queuedCommitsMax = queuedCommitsMax;
        this.commitBatch = commitBatch;
    }

    List<CommitResult> commit(List<Change> changes) {
        refuseOnWriter();
        if (queuedCommits.incrementAndGet() > queuedCommitsMax) {
            queuedCommits.decrementAndGet();
            throw new StoreUnavailableException("more than " + queuedCommitsMax + " writes are waiting");
        }
        Commit commit = new Commit(changes, new CompletableFuture<>());
        submit(commit);
        return await(commit.results);
    }

    /** Runs an action between batches and waits for its result. */
    <T> T call(Supplier<T> action) {
        refuseOnWriter();
        CompletableFuture<T> result = new CompletableFuture<>();
        run(() -> {
            try {
                result.complete(action.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return await(result);
    }

    /** Runs an action between batches, later; also from the writer itself. The action must not throw. */
    void run(Runnable action) {
        submit(new Task(action));
    }

    private void submit(Work work) {
        queue.add(work);
        if (queued.getAndIncrement() == 0) {
            threads.execute(this::turn);
        }
    }

    private void refuseOnWriter() {
        if (Thread.currentThread() == running) {
            throw new IllegalStateException("a watch listener must not write to the store or watch it");
        }
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw e;
            }
        }
    }

    private void turn() {
        int steps = 0;
        int left;
        do {
            running = Thread.currentThread();
            int done = step();
            running = null;
            left = queued.addAndGet(-done);
            steps++;
        } while (left > 0 && steps < TURN_STEPS_MAX);
        if (left > 0) {
            threads.execute(this::turn);
        }
    }

    /** Takes what can be done together and does it; returns how many pieces that was. */
    private int step() {
        return switch (queue.remove()) {
            case Task task -> {
                task.action.run();
                yield 1;
            }
            case Commit first -> {
                List<Commit> batch = batch(first);
                queuedCommits.addAndGet(-batch.size());
                commitBatch.accept(batch);
                yield batch.size();
            }
        };
    }

    private List<Commit> batch(Commit first) {
        List<Commit> batch = new ArrayList<>();
        batch.add(first);
        int changes = first.changes.size();
        while (queue.peek() instanceof Commit next && changes + next.changes.size() <= batchChangesMax) {
            queue.remove();
            batch.add(next);
            changes += next.changes.size();
        }
        return batch;
    }
}
