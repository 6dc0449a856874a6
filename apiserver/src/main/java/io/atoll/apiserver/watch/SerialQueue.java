package io.atoll.apiserver.watch;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Runs tasks one after the other, in the order added, on a virtual thread that lives only while there are tasks. */
final class SerialQueue {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>(2);
    private @Nullable Thread worker;

    synchronized void add(Runnable task) {
        tasks.add(task);
        if (worker == null) {
            worker = Thread.ofVirtual().name("watch-delivery").start(this::drain);
        }
    }

    /** Whether the caller is one of the tasks. */
    synchronized boolean inTask() {
        return Thread.currentThread() == worker;
    }

    private void drain() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable task = tasks.poll();
        if (task == null) {
            worker = null;
        }
        return task;
    }
}
