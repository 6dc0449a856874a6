package io.atoll.scheduler.core.queue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

import static io.atoll.scheduler.core.queue.QueueRows.gpuShare;
import static io.atoll.scheduler.core.queue.QueueRows.gpus;
import static io.atoll.scheduler.core.queue.QueueRows.job;
import static io.atoll.scheduler.core.queue.QueueRows.queue;
import static io.atoll.scheduler.core.queue.QueueRows.weight;
import static org.assertj.core.api.Assertions.assertThat;

/** One row for each rule of dividing. */
class FairShareTest {
    private final QueueRows rows = new QueueRows();

    @Test
    void quotaComesFirstAndOnlyAsFarAsAskedFor() {
        rows.add("a", q -> q.quota(gpus(6)).overQuotaWeight(weight(0)));
        rows.add("b", q -> q.quota(gpus(6)).overQuotaWeight(weight(0)));
        assertThat(shares(10, Map.of("a", 2.0, "b", 9.0))).containsExactly(Map.entry("a", 2.0), Map.entry("b", 6.0));
    }

    @Test
    void quotasCountEvenBeyondWhatThereIs() {
        rows.add("a", q -> q.quota(gpus(8)));
        rows.add("b", q -> q.quota(gpus(8)));
        assertThat(shares(10, Map.of("a", 8.0, "b", 8.0))).containsExactly(Map.entry("a", 8.0), Map.entry("b", 8.0));
    }

    @Test
    void unlimitedQuotaIsAllThereIs() {
        rows.add("a", q -> q.quota(gpus(-0.000001)));
        rows.add("b", q -> q);
        assertThat(shares(10, Map.of("a", 12.0, "b", 5.0))).containsExactly(Map.entry("a", 10.0), Map.entry("b", 0.0));
    }

    @Test
    void whatIsLeftGoesByWeight() {
        rows.add("a", q -> q.quota(gpus(1)).overQuotaWeight(weight(1)));
        rows.add("b", q -> q.quota(gpus(1)).overQuotaWeight(weight(3)));
        assertThat(shares(10, Map.of("a", 20.0, "b", 20.0))).containsExactly(Map.entry("a", 3.0), Map.entry("b", 7.0));
    }

    @Test
    void whatOneDoesNotNeedGoesToTheOthers() {
        rows.add("a", q -> q);
        rows.add("b", q -> q);
        rows.add("c", q -> q);
        assertThat(shares(9, Map.of("a", 1.0, "b", 9.0, "c", 9.0)))
                .containsExactly(Map.entry("a", 1.0), Map.entry("b", 4.0), Map.entry("c", 4.0));
    }

    @Test
    void higherPriorityIsServedFirst() {
        rows.add("low", q -> q.priority(50));
        rows.add("high", q -> q.priority(150));
        assertThat(shares(10, Map.of("low", 10.0, "high", 7.0)))
                .containsExactly(Map.entry("high", 7.0), Map.entry("low", 3.0));
    }

    @Test
    void priorityDoesNotTouchQuotas() {
        rows.add("low", q -> q.priority(50).quota(gpus(4)));
        rows.add("high", q -> q.priority(150));
        assertThat(shares(10, Map.of("low", 10.0, "high", 10.0)))
                .containsExactly(Map.entry("high", 6.0), Map.entry("low", 4.0));
    }

    @Test
    void weightZeroGetsNothingOverQuota() {
        rows.add("a", q -> q.quota(gpus(1)).overQuotaWeight(weight(0)));
        assertThat(shares(10, Map.of("a", 5.0))).containsExactly(Map.entry("a", 1.0));
    }

    @Test
    void limitEndsAShare() {
        rows.add("a", q -> q.limit(gpus(3)));
        rows.add("b", q -> q);
        assertThat(shares(10, Map.of("a", 10.0, "b", 10.0))).containsExactly(Map.entry("a", 3.0), Map.entry("b", 7.0));
    }

    @Test
    void wholeGpusAndTheRestToTheLargestFraction() {
        rows.add("a", q -> q.overQuotaWeight(weight(1)));
        rows.add("b", q -> q.overQuotaWeight(weight(2)));
        // Parts are 1.33 and 2.67.
        assertThat(shares(4, Map.of("a", 9.0, "b", 9.0))).containsExactly(Map.entry("a", 1.0), Map.entry("b", 3.0));
    }

    @Test
    void equalRestsGoToTheOlderThenByName() {
        rows.add("z", q -> q.createdMillis(1));
        rows.add("y", q -> q.createdMillis(2));
        rows.add("x", q -> q.createdMillis(2));
        assertThat(shares(5, Map.of("x", 9.0, "y", 9.0, "z", 9.0)))
                .containsExactly(Map.entry("x", 2.0), Map.entry("y", 1.0), Map.entry("z", 2.0));
    }

    @Test
    void aRestIsNotMoreThanIsAskedFor() {
        rows.add("a", q -> q);
        rows.add("b", q -> q);
        rows.add("c", q -> q);
        assertThat(shares(1, Map.of("a", 0.5, "b", 0.5, "c", 0.5)))
                .containsExactly(Map.entry("a", 0.5), Map.entry("b", 0.5), Map.entry("c", 0.0));
    }

    @Test
    void childrenDivideTheirParentsShare() {
        rows.add("d1", q -> q.quota(gpus(4)));
        rows.add("d2", q -> q.quota(gpus(4)));
        rows.add("a", q -> q.parent("d1"));
        rows.add("b", q -> q.parent("d1"));
        rows.add("c", q -> q.parent("d2"));
        assertThat(shares(8, Map.of("a", 8.0, "b", 1.0, "c", 8.0)))
                .containsExactly(
                        Map.entry("a", 3.0),
                        Map.entry("b", 1.0),
                        Map.entry("c", 4.0),
                        Map.entry("d1", 4.0),
                        Map.entry("d2", 4.0));
    }

    @Test
    void whatLimitsBelowForbidIsLeftToSiblingsOfTheParent() {
        rows.add("d1", q -> q);
        rows.add("d2", q -> q);
        rows.add("a", q -> q.parent("d1").limit(gpus(2)));
        rows.add("c", q -> q.parent("d2"));
        assertThat(shares(8, Map.of("a", 8.0, "c", 8.0)))
                .containsExactly(Map.entry("a", 2.0), Map.entry("c", 6.0), Map.entry("d1", 2.0), Map.entry("d2", 6.0));
    }

    @Test
    void whoHadMoreGetsLess() {
        rows.add("a", q -> q);
        rows.add("b", q -> q);
        QueueTree tree = rows.tree();
        request(tree, Map.of("a", 10.0, "b", 10.0));
        queue(tree, "a").setUsage(ResourceVector.GPU, 0.8);
        queue(tree, "b").setUsage(ResourceVector.GPU, 0.2);
        // Parts are 0.5 + 1 * (0.5 - 0.8) = 0.2 and 0.8.
        FairShare.divide(tree, job(10), 1);
        assertThat(gpuShare(tree, "a")).isEqualTo(2);
        assertThat(gpuShare(tree, "b")).isEqualTo(8);
    }

    @Test
    void usageCountsOnlyWithAFactor() {
        rows.add("a", q -> q);
        rows.add("b", q -> q);
        QueueTree tree = rows.tree();
        request(tree, Map.of("a", 10.0, "b", 10.0));
        queue(tree, "a").setUsage(ResourceVector.GPU, 0.8);
        for (double factor : List.of(0.0, -1.0)) {
            FairShare.divide(tree, job(10), factor);
            assertThat(gpuShare(tree, "a")).isEqualTo(5);
        }
    }

    @Test
    void usageThatLeavesNobodyAPartIsIgnored() {
        rows.add("a", q -> q);
        rows.add("b", q -> q);
        QueueTree tree = rows.tree();
        request(tree, Map.of("a", 10.0, "b", 10.0));
        queue(tree, "a").setUsage(ResourceVector.GPU, 1);
        queue(tree, "b").setUsage(ResourceVector.GPU, 1);
        FairShare.divide(tree, job(10), 100);
        assertThat(gpuShare(tree, "a")).isEqualTo(5);
        assertThat(gpuShare(tree, "b")).isEqualTo(5);
    }

    private Map<String, Double> shares(double gpus, Map<String, Double> requests) {
        QueueTree tree = rows.tree();
        request(tree, requests);
        FairShare.divide(tree, job(gpus), 0);
        Map<String, Double> shares = new TreeMap<>();
        tree.queues().forEach(queue -> shares.put(queue.name(), gpuShare(tree, queue.name())));
        return shares;
    }

    private static void request(QueueTree tree, Map<String, Double> requests) {
        requests.forEach((name, gpus) -> queue(tree, name).request(job(gpus)));
    }

    @Test
    void cpuAndMemoryAreDividedLikewise() {
        UnaryOperator<QueueSpec.Builder> nothing = q -> q.quota(new ResourceVector());
        rows.add("a", nothing);
        rows.add("b", nothing);
        rows.add("c", nothing);
        QueueTree tree = rows.tree();
        for (Queue queue : tree.queues()) {
            queue.request(new ResourceVector(0, 1000, 1000));
        }
        FairShare.divide(tree, new ResourceVector(0, 1000, 500), 0);
        assertThat(tree.queues().stream().map(queue -> queue.fairShare().cpu)).containsExactly(334L, 333L, 333L);
        assertThat(tree.queues().stream().map(queue -> queue.fairShare().memory))
                .containsExactly(167L, 167L, 166L);
    }
}
