package io.atoll.scheduler.core.queue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.atoll.scheduler.core.queue.QueueRows.gpus;
import static io.atoll.scheduler.core.queue.QueueRows.job;
import static io.atoll.scheduler.core.queue.QueueRows.queue;
import static org.assertj.core.api.Assertions.assertThat;

/** One row for each step of the comparison: the queue called first must come first. */
class QueueOrderTest {
    private static final ResourceVector TOTAL = new ResourceVector(100_000_000, 100_000, 100_000);

    private final QueueRows rows = new QueueRows();
    private @Nullable QueueTree built;

    @Test
    void whoIsOverItsShareOfEverythingGoesLast() {
        rows.add("second", q -> q.priority(500).quota(new ResourceVector()));
        rows.add("first", q -> q.quota(new ResourceVector()));
        queueNamed("second").allocate(new ResourceVector(1, 1, 1), true);
        firstComesFirst(null, null);
    }

    @Test
    void overOneShareOnlyIsNotOver() {
        rows.add("second", q -> q);
        rows.add("first", q -> q.priority(500));
        queueNamed("first").allocate(job(5), true);
        firstComesFirst(job(1), job(1));
    }

    @Test
    void whoStaysWithinItsQuotaGoesFirst() {
        rows.add("second", q -> q.priority(500).quota(gpus(1)));
        rows.add("first", q -> q.quota(gpus(2)));
        firstComesFirst(job(2), job(2));
    }

    @Test
    void thenThePriority() {
        rows.add("second", q -> q.quota(gpus(4)));
        rows.add("first", q -> q.quota(gpus(4)).priority(101));
        queueNamed("first").allocate(job(2), true);
        firstComesFirst(job(1), job(1));
    }

    @Test
    void thenWhoDoesNotUseWhereNothingIsDue() {
        rows.add("second", q -> q);
        rows.add("first", q -> q);
        queueNamed("first").fairShare().gpu = ResourceVector.ONE_GPU;
        queueNamed("first").allocate(job(8), true);
        firstComesFirst(job(1), job(1));
    }

    @Test
    void thenTheSmallerDominantShareWithTheNextJob() {
        rows.add("second", q -> q.quota(gpus(4)));
        rows.add("first", q -> q.quota(gpus(8)));
        queueNamed("second").allocate(job(1), true);
        queueNamed("first").allocate(job(1), true);
        firstComesFirst(job(1), job(1));
        firstComesFirst(job(2), job(1));
    }

    @Test
    void whatWasTakenFromAQueueCountsNoMore() {
        rows.add("second", q -> q.quota(gpus(4)));
        rows.add("first", q -> q.quota(gpus(4)));
        queueNamed("second").allocate(job(2), true);
        queueNamed("first").allocate(job(3), true);
        assertThat(QueueOrder.compare(queueNamed("first"), null, queueNamed("second"), null, job(2), null, TOTAL))
                .isNegative();
    }

    @Test
    void thenTheSmallerDominantShareWithoutTheJob() {
        rows.add("second", q -> q.quota(gpus(4)));
        rows.add("first", q -> q.quota(gpus(4)));
        queueNamed("second").allocate(job(2), true);
        queueNamed("first").allocate(job(1), true);
        firstComesFirst(job(2), job(1));
    }

    @Test
    void thenTheSmallerAllocatableShare() {
        rows.add("second", q -> q.quota(gpus(4)));
        rows.add("first", q -> q.quota(gpus(2)));
        firstComesFirst(null, null);
    }

    @Test
    void thenAgeThenName() {
        rows.add("first", q -> q.createdMillis(1));
        rows.add("second", q -> q.createdMillis(2));
        firstComesFirst(null, null);
        built = null;
        QueueTree tree = new QueueRows()
                .add("first", q -> q.createdMillis(7))
                .add("second", q -> q.createdMillis(7))
                .tree();
        built = tree;
        firstComesFirst(null, null);
        Queue self = queue(tree, "first");
        assertThat(QueueOrder.compare(self, null, self, null, null, null, TOTAL))
                .isZero();
    }

    @Test
    void unlimitedIsMeasuredAgainstTheCluster() {
        rows.add("a", q -> q.quota(ResourceVector.all(ResourceVector.UNLIMITED)));
        queueNamed("a").allocate(job(25), true);
        assertThat(QueueOrder.dominantShare(queueNamed("a"), null, null, TOTAL)).isEqualTo(0.25);
    }

    private Queue queueNamed(String name) {
        QueueTree tree = built;
        if (tree == null) {
            tree = rows.tree();
            built = tree;
        }
        return queue(tree, name);
    }

    private void firstComesFirst(@Nullable ResourceVector firstNext, @Nullable ResourceVector secondNext) {
        Queue first = queueNamed("first");
        Queue second = queueNamed("second");
        assertThat(QueueOrder.compare(first, firstNext, second, secondNext, null, null, TOTAL))
                .isNegative();
        assertThat(QueueOrder.compare(second, secondNext, first, firstNext, null, null, TOTAL))
                .isPositive();
    }
}
