package io.atoll.apiserver.watch;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Waits for a delivery queue to come to the present moment. */
final class Deliveries {
    private Deliveries() {}

    static void await(Consumer<Runnable> queue, boolean inQueue) {
        if (inQueue) {
            return;
        }
        CountDownLatch reached = new CountDownLatch(1);
        queue.accept(reached::countDown);
        try {
            reached.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
