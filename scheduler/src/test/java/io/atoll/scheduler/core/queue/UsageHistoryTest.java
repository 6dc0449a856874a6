package io.atoll.scheduler.core.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.atoll.scheduler.core.queue.QueueRows.job;
import static io.atoll.scheduler.core.queue.QueueRows.queue;
import static org.assertj.core.api.Assertions.assertThat;

class UsageHistoryTest {
    private static final long SECOND = 1000;
    private static final long HOUR = 3600 * SECOND;
    private static final Offset<Double> EXACT = Offset.offset(1e-9);
    private static final ResourceVector TOTAL = new ResourceVector(10 * ResourceVector.ONE_GPU, 1000, 1000);

    private final QueueTree tree = new QueueRows()
            .add("top", q -> q)
            .add("a", q -> q.parent("top"))
            .add("b", q -> q.parent("top"))
            .tree();
    private final Queue a = queue(tree, "a");
    private final Queue b = queue(tree, "b");

    @Test
    void whatIsHeldCountsAsAPartOfWhatThereIs() {
        UsageHistory history = history(UsageWindow.week(), 0);
        a.allocate(job(5), true);
        b.allocate(job(2), true);
        hours(history, 0, 10);
        assertThat(usage(history, a, 10 * HOUR)).isCloseTo(0.5, EXACT);
        assertThat(b.usage(ResourceVector.GPU)).isCloseTo(0.2, EXACT);
        assertThat(queue(tree, "top").usage(ResourceVector.GPU)).isCloseTo(0.7, EXACT);
        assertThat(a.usage(ResourceVector.CPU)).isZero();
    }

    @Test
    void afterAHalfLifeItCountsHalf() {
        UsageHistory history = history(new UsageWindow.Sliding(1000 * HOUR), 10 * HOUR);
        a.allocate(job(10), true);
        hours(history, 0, 10);
        a.release(job(10), true);
        hours(history, 10, 20);
        // The older ten hours weigh half of the younger ones: 1 / (1 + 2).
        assertThat(usage(history, a, 20 * HOUR)).isCloseTo(1.0 / 3, EXACT);
    }

    @Test
    void whatLeavesTheWindowIsForgottenLittleByLittle() {
        UsageHistory history = history(new UsageWindow.Sliding(24 * HOUR), 0);
        a.allocate(job(10), true);
        hours(history, 0, 12);
        a.release(job(10), true);
        hours(history, 12, 24);
        assertThat(usage(history, a, 24 * HOUR)).isCloseTo(0.5, EXACT);
        hours(history, 24, 30);
        assertThat(usage(history, a, 30 * HOUR)).isCloseTo(0.25, EXACT);
        hours(history, 30, 36);
        assertThat(usage(history, a, 36 * HOUR)).isZero();
        hours(history, 36, 37);
        assertThat(history.state().slices())
                .allSatisfy(slice -> assertThat(slice.queues()).isEmpty());
    }

    @Test
    void aTumblingWindowStartsFromNothing() {
        UsageHistory history = history(new UsageWindow.Tumbling(24 * HOUR, 6 * HOUR), 0);
        a.allocate(job(10), true);
        hours(history, 6, 29);
        assertThat(usage(history, a, 29 * HOUR)).isCloseTo(1, EXACT);
        hours(history, 29, 30);
        assertThat(usage(history, a, 30 * HOUR)).isZero();
        a.release(job(5), true);
        hours(history, 30, 31);
        assertThat(usage(history, a, 31 * HOUR)).isCloseTo(0.5, EXACT);
    }

    @Test
    void resetsComeWhenTheCalendarSays() {
        UsageHistory history = history(new UsageWindow.Resets(now -> now < 5 * HOUR ? 0 : 5 * HOUR), 0);
        a.allocate(job(10), true);
        hours(history, 1, 4);
        assertThat(usage(history, a, 4 * HOUR)).isCloseTo(1, EXACT);
        assertThat(usage(history, a, 5 * HOUR)).isZero();
    }

    @Test
    void whatWasNotWatchedCountsForNobody() {
        UsageHistory history = history(UsageWindow.week(), 0);
        a.allocate(job(10), true);
        hours(history, 0, 1);
        a.release(job(10), true);
        history.record(50 * HOUR, tree, TOTAL);
        assertThat(usage(history, a, 50 * HOUR)).isCloseTo(1.0 / 2, EXACT);
    }

    @Test
    void aClockSetBackRecordsNothingAndGoesOn() {
        UsageHistory history = history(UsageWindow.week(), 0);
        a.allocate(job(10), true);
        hours(history, 100, 101);
        history.record(99 * HOUR, tree, TOTAL);
        a.release(job(10), true);
        history.record(100 * HOUR, tree, TOTAL);
        assertThat(usage(history, a, 102 * HOUR)).isCloseTo(0.5, EXACT);
    }

    @Test
    void aQueueMadeAnewKeepsItsPast() {
        UsageHistory history = history(UsageWindow.week(), 0);
        a.allocate(job(5), true);
        hours(history, 0, 1);
        QueueTree without = new QueueRows().add("other", q -> q).tree();
        history.record(2 * HOUR, without, TOTAL);
        assertThat(usage(history, a, 2 * HOUR)).isCloseTo(0.25, EXACT);
    }

    @Test
    void jobsOfAQueueThatGotChildrenCountForIt() {
        UsageHistory history = history(UsageWindow.week(), 0);
        queue(tree, "top").allocate(job(3), true);
        a.allocate(job(1), true);
        hours(history, 0, 1);
        assertThat(usage(history, queue(tree, "top"), HOUR)).isCloseTo(0.4, EXACT);
        assertThat(a.usage(ResourceVector.GPU)).isCloseTo(0.1, EXACT);
    }

    @Test
    void aShortHalfLifeInALongWindowDoesNotVanish() {
        UsageHistory history = history(new UsageWindow.Tumbling(720 * HOUR, 0), 60 * SECOND);
        a.allocate(job(5), true);
        hours(history, 0, 700);
        assertThat(usage(history, a, 700 * HOUR)).isCloseTo(0.5, EXACT);
    }

    static IntStream seeds() {
        return IntStream.range(0, 100);
    }

    /** Against adding up second by second; and a restart in the middle changes nothing. */
    @ParameterizedTest
    @MethodSource("seeds")
    void equalsTheSumOverAllSeconds(int seed) {
        Random random = new Random(seed);
        long halfLife = random.nextBoolean() ? 0 : (20 + random.nextInt(200)) * SECOND;
        UsageWindow window = new UsageWindow.Sliding(24 * 50 * SECOND);
        UsageHistory history = history(window, halfLife);
        List<long[]> seconds = new ArrayList<>();
        history.record(0, tree, TOTAL);
        int now = 0;
        for (int step = 0; step < 60; step++) {
            a.allocate(job(random.nextInt(4)), true);
            a.release(new ResourceVector(random.nextLong(a.allocated().gpu + 1), 0, 0), true);
            ResourceVector total = new ResourceVector(TOTAL.gpu + a.allocated().gpu, 1000, 1000);
            int duration = 1 + random.nextInt(40);
            for (int i = 0; i < duration; i++) {
                seconds.add(new long[] {a.allocated().gpu, total.gpu});
            }
            now += duration;
            history.record(now * SECOND, tree, total);
            if (step % 7 == 0) {
                history = new UsageHistory(window, halfLife, HOUR, history.state());
            }
        }
        // The oldest slice is known as a whole only, so look when it has just left or not yet begun to leave.
        now = (now / 50 + 1) * 50;
        while (seconds.size() < now) {
            seconds.add(new long[] {a.allocated().gpu, TOTAL.gpu});
        }
        history.record(now * SECOND, tree, TOTAL);

        double used = 0;
        double all = 0;
        for (int second = Math.max(0, now - 24 * 50); second < now; second++) {
            double age = (now - second - 0.5) * SECOND;
            double weight = halfLife == 0 ? 1 : Math.pow(0.5, age / halfLife);
            used += weight * seconds.get(second)[0];
            all += weight * seconds.get(second)[1];
        }
        assertThat(usage(history, a, now * SECOND)).isCloseTo(used / all, Offset.offset(1e-4));
    }

    private UsageHistory history(UsageWindow window, long halfLife) {
        return new UsageHistory(window, halfLife, HOUR, UsageState.EMPTY);
    }

    /** Records every hour what is held now. */
    private void hours(UsageHistory history, long from, long to) {
        for (long hour = from; hour <= to; hour++) {
            history.record(hour * HOUR, tree, TOTAL);
        }
    }

    private double usage(UsageHistory history, Queue queue, long now) {
        history.apply(now, tree);
        return queue.usage(ResourceVector.GPU);
    }
}
