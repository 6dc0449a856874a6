package io.atoll.store.sqlite;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which all stores of a process write. A store holds one only while it has something to do.
 *
 * <p>Platform threads: SQLite's calls are native and would pin the few carriers of virtual threads during each sync.
 */
final class WriterThreads {
    /** Stores that can sync at the same moment. */
    private static final int THREADS_MAX = 16;

    private static final long IDLE_SECONDS_MAX = 10;

    private WriterThreads() {}

    static Executor shared() {
        return Holder.EXECUTOR;
    }

    private static final class Holder {
        static final Executor EXECUTOR = start();

        private static Executor start() {
            ThreadFactory factory =
                    Thread.ofPlatform().daemon().name("store-writer-", 0).factory();
            // bounded by the number of stores: a store is queued at most once
            ThreadPoolExecutor executor = new ThreadPoolExecutor(
                    THREADS_MAX, THREADS_MAX, IDLE_SECONDS_MAX, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
            executor.allowCoreThreadTimeOut(true);
            return executor;
        }
    }
}
