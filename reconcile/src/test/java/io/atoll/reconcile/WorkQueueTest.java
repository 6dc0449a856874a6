package io.atoll.reconcile;

import io.atoll.base.Backoff;
import io.atoll.testkit.ManualTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class WorkQueueTest {
    private final ManualTimers timers = new ManualTimers(Instant.EPOCH);
    private final AtomicInteger readied = new AtomicInteger();
    private final WorkQueue<String> queue =
            new WorkQueue<>(timers, new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1)), readied::incrementAndGet);

    @Test
    void holdsAKeyOnce() {
        queue.add("a");
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void handsAKeyOutAgainOnlyAfterItIsDone() {
        queue.add("a");
        queue.poll();
        queue.add("a");
        assertThat(queue.poll()).isEmpty();
        queue.done("a");
        assertThat(queue.poll()).contains("a");
        queue.done("a");
        assertThat(queue.idle()).isTrue();
        assertThat(readied).hasValue(2);
    }

    @Test
    void theEarliestDelayCounts() {
        queue.addAfter("a", Duration.ofSeconds(10));
        queue.addAfter("a", Duration.ofSeconds(2));
        queue.addAfter("a", Duration.ofSeconds(5));
        timers.advance(Duration.ofSeconds(1));
        assertThat(queue.size()).isZero();
        timers.advance(Duration.ofSeconds(1));
        assertThat(queue.poll()).contains("a");
        queue.done("a");
        timers.advance(Duration.ofSeconds(20));
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void backsOffUpToItsBound() {
        for (int i = 0; i < 20; i++) {
            queue.addRateLimited("a");
            timers.advance(Duration.ofSeconds(1));
            assertThat(queue.poll()).contains("a");
            queue.done("a");
        }
        queue.forget("a");
        queue.addRateLimited("a");
        timers.advance(Duration.ofMillis(5));
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void closingDropsWhatWaits() {
        queue.add("a");
        queue.addAfter("b", Duration.ofSeconds(1));
        queue.close();
        queue.add("c");
        assertThat(queue.poll()).isEmpty();
        assertThat(timers.pending()).isZero();
    }
}
