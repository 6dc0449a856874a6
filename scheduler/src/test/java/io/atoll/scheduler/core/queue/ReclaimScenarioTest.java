package io.atoll.scheduler.core.queue;

import org.junit.jupiter.api.Test;

import static io.atoll.scheduler.core.queue.QueueRows.gpus;
import static io.atoll.scheduler.core.queue.QueueRows.job;
import static io.atoll.scheduler.core.queue.QueueRows.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReclaimScenarioTest {
    private final QueueRows rows = new QueueRows();

    @Test
    void aJobWithinItsQueuesShareMayReclaim() {
        rows.add("a", q -> q);
        Queue queue = queue(rows.tree(), "a");
        queue.fairShare().gpu = 4 * ResourceVector.ONE_GPU;
        queue.allocate(job(2), true);
        assertThat(ReclaimRules.canReclaim(queue, job(2), true)).isTrue();
        assertThat(ReclaimRules.canReclaim(queue, job(3), true)).isFalse();
    }

    @Test
    void aNonPreemptibleJobMayReclaimOnlyWithinQuota() {
        rows.add("a", q -> q.quota(gpus(2)));
        Queue queue = queue(rows.tree(), "a");
        queue.fairShare().gpu = 4 * ResourceVector.ONE_GPU;
        assertThat(ReclaimRules.canReclaim(queue, job(2), false)).isTrue();
        assertThat(ReclaimRules.canReclaim(queue, job(3), false)).isFalse();
    }

    @Test
    void whatIsBeyondTheShareMayBeTaken() {
        QueueTree tree = pair(4, 4, 0, 8);
        ReclaimScenario scenario = begin(tree, job(2));
        assertThat(scenario.take(queue(tree, "victim"), job(2))).isTrue();
        assertThat(scenario.take(queue(tree, "victim"), job(2))).isTrue();
        assertThat(scenario.holds()).isTrue();
        assertThat(scenario.take(queue(tree, "victim"), job(1))).isFalse();
        assertThat(scenario.holds()).isFalse();
        scenario.undo();
        assertThat(scenario.holds()).isTrue();
    }

    @Test
    void whoStaysWithinItsQuotaMayTakeWhatIsBeyondAnothers() {
        rows.add("reclaimer", q -> q.quota(gpus(4)));
        rows.add("victim", q -> q.quota(gpus(2)));
        QueueTree tree = rows.tree();
        share(tree, "reclaimer", 4);
        share(tree, "victim", 6);
        queue(tree, "victim").allocate(job(6), true);
        assertThat(begin(tree, job(4)).allows(queue(tree, "victim"), job(1))).isTrue();
        assertThat(begin(tree, job(5)).allows(queue(tree, "victim"), job(1))).isFalse();
    }

    @Test
    void quotaIsNeverTaken() {
        rows.add("reclaimer", q -> q.quota(gpus(4)).priority(500));
        rows.add("victim", q -> q.quota(gpus(4)));
        QueueTree tree = rows.tree();
        share(tree, "reclaimer", 4);
        share(tree, "victim", 4);
        queue(tree, "victim").allocate(job(4), true);
        assertThat(begin(tree, job(1)).allows(queue(tree, "victim"), job(1))).isFalse();
    }

    @Test
    void neverUntilTheReclaimerIsTheFullerOne() {
        QueueTree tree = pair(4, 4, 0, 8);
        ReclaimScenario scenario = begin(tree, job(5));
        scenario.take(queue(tree, "victim"), job(3));
        // 5 of 4 against 5 of 4.
        assertThat(scenario.saturationHolds()).isFalse();
        scenario.undo();
        scenario.take(queue(tree, "victim"), job(2));
        assertThat(scenario.saturationHolds()).isTrue();
    }

    @Test
    void theMultiplierKeepsADistance() {
        QueueTree tree = pair(4, 4, 0, 8);
        ReclaimScenario scenario = new ReclaimScenario(tree, 1.2);
        scenario.begin(queue(tree, "reclaimer"), job(5), true);
        scenario.take(queue(tree, "victim"), job(2));
        assertThat(scenario.saturationHolds()).isFalse();
        assertThatThrownBy(() -> new ReclaimScenario(tree, 0.9)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void strategiesAreJudgedJustBelowTheLowestCommonQueue() {
        rows.add("d1", q -> q.quota(gpus(4)));
        rows.add("d2", q -> q.quota(gpus(4)));
        rows.add("reclaimer", q -> q.parent("d1").quota(gpus(4)));
        rows.add("victim", q -> q.parent("d2"));
        QueueTree tree = rows.tree();
        share(tree, "d1", 4);
        share(tree, "d2", 4);
        share(tree, "reclaimer", 4);
        queue(tree, "victim").allocate(job(4), true);
        // The victim is over its own share, but its department is not over its.
        assertThat(begin(tree, job(1)).allows(queue(tree, "victim"), job(1))).isFalse();
    }

    @Test
    void aNonPreemptibleJobNeedsQuotaAtEveryLevel() {
        rows.add("department", q -> q.quota(gpus(1)));
        rows.add("reclaimer", q -> q.parent("department").quota(gpus(4)));
        rows.add("victim", q -> q);
        QueueTree tree = rows.tree();
        share(tree, "department", 4);
        share(tree, "reclaimer", 4);
        queue(tree, "victim").allocate(job(4), true);
        ReclaimScenario scenario = new ReclaimScenario(tree, 1);
        scenario.begin(queue(tree, "reclaimer"), job(2), false);
        scenario.take(queue(tree, "victim"), job(2));
        assertThat(scenario.quotaHolds()).isFalse();
        assertThat(scenario.holds()).isFalse();
    }

    @Test
    void aStatementThatFollowsDoesNotCountTwice() {
        QueueTree tree = pair(4, 4, 0, 8);
        ReclaimScenario scenario = begin(tree, job(2));
        scenario.take(queue(tree, "victim"), job(2));
        queue(tree, "victim").release(job(2), true);
        queue(tree, "reclaimer").allocate(job(2), true);
        assertThat(scenario.remaining(queue(tree, "victim"), ResourceVector.GPU))
                .isEqualTo(6 * ResourceVector.ONE_GPU);
        assertThat(scenario.remaining(queue(tree, "reclaimer"), ResourceVector.GPU))
                .isZero();
    }

    @Test
    void anExcessOfWhatIsNotAskedForIsNoReason() {
        rows.add("reclaimer", q -> q.quota(new ResourceVector()));
        rows.add("victim", q -> q.quota(new ResourceVector()));
        QueueTree tree = rows.tree();
        share(tree, "reclaimer", 4);
        share(tree, "victim", 4);
        queue(tree, "victim").allocate(new ResourceVector(4 * ResourceVector.ONE_GPU, 1000, 0), true);
        ResourceVector block = new ResourceVector(ResourceVector.ONE_GPU, 250, 0);
        // Its CPU share is 0, but the job wants GPUs, of which the victim holds its share.
        assertThat(begin(tree, job(1)).allows(queue(tree, "victim"), block)).isFalse();
        assertThat(begin(tree, block).allows(queue(tree, "victim"), block)).isTrue();
        assertThat(begin(tree, block).allows(queue(tree, "victim"), job(1))).isFalse();
    }

    @Test
    void whoIsDueNothingTakesFromNobodyWhoIsDueNothing() {
        rows.add("d1", q -> q).add("d2", q -> q);
        rows.add("reclaimer", q -> q.parent("d1").quota(gpus(2)));
        rows.add("victim", q -> q.parent("d2").quota(gpus(2)));
        QueueTree tree = rows.tree();
        share(tree, "reclaimer", 2);
        share(tree, "victim", 2);
        queue(tree, "victim").allocate(job(2), true);
        ReclaimScenario scenario = begin(tree, job(2));
        scenario.take(queue(tree, "victim"), job(2));
        assertThat(scenario.saturationHolds()).isFalse();
        share(tree, "d1", 1);
        assertThat(scenario.saturationHolds()).isTrue();
    }

    @Test
    void aQueueDoesNotReclaimFromItself() {
        QueueTree tree = pair(4, 4, 4, 4);
        ReclaimScenario scenario = begin(tree, job(1));
        assertThatThrownBy(() -> scenario.allows(queue(tree, "reclaimer"), job(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("queue reclaimer cannot reclaim from reclaimer");
    }

    /** Two queues side by side with their shares and allocations. */
    private QueueTree pair(double reclaimerShare, double victimShare, double reclaimerUses, double victimUses) {
        rows.add("reclaimer", q -> q);
        rows.add("victim", q -> q);
        QueueTree tree = rows.tree();
        share(tree, "reclaimer", reclaimerShare);
        share(tree, "victim", victimShare);
        queue(tree, "reclaimer").allocate(job(reclaimerUses), true);
        queue(tree, "victim").allocate(job(victimUses), true);
        return tree;
    }

    private static void share(QueueTree tree, String name, double gpus) {
        queue(tree, name).fairShare().gpu = Math.round(gpus * ResourceVector.ONE_GPU);
    }

    private static ReclaimScenario begin(QueueTree tree, ResourceVector request) {
        ReclaimScenario scenario = new ReclaimScenario(tree, 1);
        scenario.begin(queue(tree, "reclaimer"), request, true);
        return scenario;
    }
}
