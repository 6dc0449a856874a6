package io.atoll.scheduler.core.queue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static io.atoll.scheduler.core.queue.QueueRows.gpus;
import static io.atoll.scheduler.core.queue.QueueRows.queue;
import static org.assertj.core.api.Assertions.assertThat;

class QueueTreeTest {
    private final QueueRows rows = new QueueRows();

    @Test
    void sumsGoUpToTheTop() {
        rows.add("top", q -> q).add("mid", q -> q.parent("top")).add("leaf", q -> q.parent("mid"));
        QueueTree tree = rows.tree();
        ResourceVector job = new ResourceVector(1, 2, 3);
        queue(tree, "leaf").request(job);
        queue(tree, "leaf").allocate(job, false);
        queue(tree, "leaf").allocate(job, true);
        assertThat(queue(tree, "top").request()).isEqualTo(job);
        assertThat(queue(tree, "top").allocated()).isEqualTo(new ResourceVector(2, 4, 6));
        assertThat(queue(tree, "top").allocatedNonPreemptible()).isEqualTo(job);
        queue(tree, "leaf").release(job, false);
        queue(tree, "leaf").release(job, true);
        queue(tree, "leaf").unrequest(job);
        for (Queue queue : tree.queues()) {
            assertThat(queue.allocated().isZero()).isTrue();
            assertThat(queue.allocatedNonPreemptible().isZero()).isTrue();
            assertThat(queue.request().isZero()).isTrue();
        }
    }

    @Test
    void orphansAndAllBelowAreLeftOutAndNamed() {
        rows.add("ok", q -> q);
        rows.add("orphan", q -> q.parent("gone"));
        rows.add("below", q -> q.parent("orphan"));
        QueueTree tree = rows.tree();
        assertThat(tree.queues()).extracting(Queue::name).containsExactly("ok");
        assertThat(tree.find("below")).isNull();
        assertThat(tree.problems())
                .extracting(QueueProblem::kind)
                .containsExactly(QueueProblem.Kind.ANCESTOR_UNUSABLE, QueueProblem.Kind.PARENT_MISSING);
        assertThat(tree.problems().get(1).message())
                .isEqualTo(
                        "queue orphan has spec.parentQueue gone, which does not exist; its jobs wait until that queue is"
                                + " created or the field names another");
    }

    @Test
    void circlesAndAllBelowAreLeftOutAndNamed() {
        rows.add("self", q -> q.parent("self"));
        rows.add("a", q -> q.parent("b")).add("b", q -> q.parent("c")).add("c", q -> q.parent("a"));
        rows.add("below", q -> q.parent("a"));
        QueueTree tree = rows.tree();
        assertThat(tree.queues()).isEmpty();
        assertThat(tree.problems()).extracting(QueueProblem::queue).containsExactly("a", "b", "below", "c", "self");
        assertThat(tree.problems())
                .extracting(QueueProblem::kind)
                .containsExactly(
                        QueueProblem.Kind.PARENT_CYCLE,
                        QueueProblem.Kind.PARENT_CYCLE,
                        QueueProblem.Kind.ANCESTOR_UNUSABLE,
                        QueueProblem.Kind.PARENT_CYCLE,
                        QueueProblem.Kind.PARENT_CYCLE);
    }

    @Test
    void negativeValuesCountAsZeroAndAreNamed() {
        rows.add("a", q -> q.quota(gpus(-2)).limit(gpus(-3)).reclaimMinRuntimeMillis(-5L));
        QueueTree tree = rows.tree();
        assertThat(queue(tree, "a").spec().quota().gpu).isZero();
        assertThat(queue(tree, "a").spec().limit().gpu).isZero();
        assertThat(queue(tree, "a").spec().reclaimMinRuntimeMillis()).isZero();
        assertThat(tree.problems())
                .extracting(QueueProblem::field)
                .containsExactly("spec.reclaimMinRuntime", "spec.resources.gpu.limit", "spec.resources.gpu.quota");
        assertThat(tree.problems().get(2).message())
                .isEqualTo("queue a has spec.resources.gpu.quota -2 GPUs, which counts as 0; use 0 or more, or -1 for"
                        + " unlimited");
    }

    @Test
    void aQuotaAboveTheLimitIsNamedAndTheQueueKept() {
        rows.add("a", q -> q.quota(gpus(4)).limit(gpus(2)));
        QueueTree tree = rows.tree();
        assertThat(tree.find("a")).isNotNull();
        assertThat(tree.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message())
                        .isEqualTo(
                                "queue a has spec.resources.gpu.quota 4 GPUs above its limit of 2 GPUs; raise the limit"
                                        + " or lower the quota"));
    }

    @Test
    void whatIsNotSaidHasADefault() {
        QueueSpec spec = QueueSpec.named("a").build();
        assertThat(spec.priority()).isEqualTo(100);
        assertThat(spec.quota()).isEqualTo(new ResourceVector());
        assertThat(spec.limit()).isEqualTo(ResourceVector.all(ResourceVector.UNLIMITED));
        assertThat(spec.overQuotaWeight()).isEqualTo(ResourceVector.all(QueueSpec.WEIGHT_ONE));
    }

    @Test
    void flatTreesKeepLeavesBelowOneUnlimitedQueue() {
        List<QueueSpec> specs = List.of(
                QueueSpec.named("d").build(),
                QueueSpec.named("a").parent("d").build(),
                QueueSpec.named("alone").build());
        QueueTree tree = QueueTree.flat(specs, "default");
        assertThat(tree.queues()).extracting(Queue::name).containsExactly("default", "a");
        assertThat(queue(tree, "a").parent()).isSameAs(queue(tree, "default"));
    }

    @Test
    void orderOfArrivalDoesNotMatter() {
        List<QueueSpec> specs = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            QueueSpec.Builder spec = QueueSpec.named("q" + i).priority(i % 3).createdMillis(i % 5);
            specs.add(i < 5 ? spec.build() : spec.parent("q" + i % 5).build());
        }
        List<String> expected =
                QueueTree.of(specs).queues().stream().map(Queue::name).toList();
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(specs, new Random(seed));
            assertThat(QueueTree.of(specs).queues()).extracting(Queue::name).isEqualTo(expected);
        }
    }
}
