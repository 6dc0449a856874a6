package io.atoll.scheduler.core.queue;

import org.junit.jupiter.api.Test;

import static io.atoll.scheduler.core.queue.QueueRows.gpus;
import static io.atoll.scheduler.core.queue.QueueRows.job;
import static io.atoll.scheduler.core.queue.QueueRows.queue;
import static org.assertj.core.api.Assertions.assertThat;

class CapacityTest {
    private final QueueRows rows = new QueueRows();

    @Test
    void theLimitBindsEveryJob() {
        rows.add("team-a", q -> q.limit(gpus(16)));
        Queue queue = queue(rows.tree(), "team-a");
        queue.allocate(job(14), true);
        assertThat(Capacity.check(queue, job(2), true)).isEmpty();
        queue.allocate(job(2), true);
        assertThat(Capacity.check(queue, job(2), true))
                .hasValueSatisfying(denial -> assertThat(denial.message())
                        .isEqualTo("queue team-a is at its limit: 16 GPUs, uses 16, asked for 2"));
    }

    @Test
    void limitsAboveBindToo() {
        rows.add("department", q -> q.limit(gpus(4)));
        rows.add("team", q -> q.parent("department").limit(gpus(4)));
        rows.add("other", q -> q.parent("department"));
        QueueTree tree = rows.tree();
        queue(tree, "other").allocate(job(3), true);
        assertThat(Capacity.check(queue(tree, "team"), job(2), true))
                .hasValueSatisfying(denial -> assertThat(denial.message())
                        .isEqualTo("queue department would pass its limit: 4 GPUs, uses 3, asked for 2"));
    }

    @Test
    void nonPreemptibleJobsStayWithinQuotaAtEveryLevel() {
        rows.add("department", q -> q.quota(gpus(1)));
        rows.add("team", q -> q.parent("department").quota(gpus(4)));
        QueueTree tree = rows.tree();
        assertThat(Capacity.check(queue(tree, "team"), job(1), false)).isEmpty();
        assertThat(Capacity.check(queue(tree, "team"), job(2), true)).isEmpty();
        assertThat(Capacity.check(queue(tree, "team"), job(2), false)).hasValueSatisfying(denial -> {
            assertThat(denial.kind()).isEqualTo(Denial.Kind.QUOTA_NON_PREEMPTIBLE);
            assertThat(denial.message())
                    .isEqualTo("queue department guarantees 1 GPU to non-preemptible jobs, uses 0, asked for 2;"
                            + " a preemptible job could use more");
        });
    }

    @Test
    void preemptibleUseLeavesTheQuotaAlone() {
        rows.add("team", q -> q.quota(gpus(4)));
        Queue queue = queue(rows.tree(), "team");
        queue.allocate(job(4), true);
        assertThat(Capacity.check(queue, job(4), false)).isEmpty();
    }

    @Test
    void whatIsNotAskedForIsNotLookedAt() {
        rows.add("team", q -> q.limit(new ResourceVector(ResourceVector.UNLIMITED, 0, 0)));
        assertThat(Capacity.check(queue(rows.tree(), "team"), job(2), true)).isEmpty();
    }

    @Test
    void amountsReadAsPeopleSayThem() {
        assertThat(new ResourceVector(500_000, 1_500, 4_000_000_000L))
                .hasToString("0.5 GPUs, 1.5 CPU cores, 4 GB of memory");
        assertThat(new ResourceVector(ResourceVector.ONE_GPU, 1_000, 20))
                .hasToString("1 GPU, 1 CPU core, 0.00000002 GB of memory");
        assertThat(ResourceText.amount(ResourceVector.GPU, ResourceVector.UNLIMITED))
                .isEqualTo("unlimited GPUs");
    }
}
