package io.atoll.reconcile;

import io.atoll.base.Timers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
final class ControllerTest {
    @Test
    void workersAreBoundedAndNoKeyRunsTwiceAtOnce() throws InterruptedException {
        int keys = 50;
        AtomicInteger running = new AtomicInteger();
        AtomicInteger mostRunning = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        Map<Integer, Boolean> inside = new ConcurrentHashMap<>();
        CountDownLatch seen = new CountDownLatch(keys);
        try (Controller<Integer> controller = new Controller<>("test", Timers.system(), 3, key -> {
            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
            if (inside.put(key, true) != null) {
                overlaps.incrementAndGet();
            }
            inside.get(key);
            inside.remove(key);
            running.decrementAndGet();
            seen.countDown();
            return Reconciler.Result.DONE;
        })) {
            for (int round = 0; round < 20; round++) {
                for (int key = 0; key < keys; key++) {
                    controller.enqueue(key);
                }
            }
            assertThat(seen.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(mostRunning.get()).isLessThanOrEqualTo(3);
        assertThat(overlaps).hasValue(0);
    }

    @Test
    void failuresAreTriedAgain() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch succeeded = new CountDownLatch(1);
        try (Controller<String> controller = new Controller<>("test", Timers.system(), 1, key -> {
            if (calls.incrementAndGet() < 4) {
                throw new IllegalStateException("not yet");
            }
            succeeded.countDown();
            return Reconciler.Result.DONE;
        })) {
            controller.enqueue("a");
            assertThat(succeeded.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(calls).hasValue(4);
    }
}
