package io.atoll.scheduler.core.queue;

import org.junit.jupiter.api.Test;

import static io.atoll.scheduler.core.queue.QueueRows.queue;
import static org.assertj.core.api.Assertions.assertThat;

class MinRuntimeTest {
    private final QueueTree tree = new QueueRows()
            .add("d1", q -> q.reclaimMinRuntimeMillis(10L).preemptMinRuntimeMillis(1L))
            .add("d2", q -> q)
            .add("mid", q -> q.parent("d1").reclaimMinRuntimeMillis(20L))
            .add("leaf", q -> q.parent("mid").reclaimMinRuntimeMillis(30L))
            .add("sibling", q -> q.parent("mid"))
            .add("cousin", q -> q.parent("d1"))
            .add("far", q -> q.parent("d2"))
            .tree();
    private final MinRuntime fromAncestor = new MinRuntime(7, 8, MinRuntime.ReclaimFrom.LOWEST_COMMON_ANCESTOR);
    private final MinRuntime fromQueue = new MinRuntime(7, 8, MinRuntime.ReclaimFrom.QUEUE);

    @Test
    void preemptLooksFromTheQueueUpward() {
        assertThat(fromAncestor.forPreempt(queue(tree, "leaf"))).isEqualTo(1);
        assertThat(fromAncestor.forPreempt(queue(tree, "far"))).isEqualTo(7);
    }

    @Test
    void reclaimLooksUpwardFromJustBelowTheLowestCommonQueue() {
        assertThat(fromAncestor.forReclaim(queue(tree, "far"), queue(tree, "leaf")))
                .isEqualTo(10);
        assertThat(fromAncestor.forReclaim(queue(tree, "cousin"), queue(tree, "leaf")))
                .isEqualTo(20);
        assertThat(fromAncestor.forReclaim(queue(tree, "sibling"), queue(tree, "leaf")))
                .isEqualTo(30);
        assertThat(fromAncestor.forReclaim(queue(tree, "leaf"), queue(tree, "far")))
                .isEqualTo(8);
    }

    @Test
    void orFromTheVictimsQueueWhenToldSo() {
        assertThat(fromQueue.forReclaim(queue(tree, "far"), queue(tree, "leaf")))
                .isEqualTo(30);
        assertThat(fromQueue.forReclaim(queue(tree, "far"), queue(tree, "sibling")))
                .isEqualTo(20);
        assertThat(fromQueue.forReclaim(queue(tree, "leaf"), queue(tree, "far")))
                .isEqualTo(8);
    }

    @Test
    void protectionEndsWithTheMinimum() {
        assertThat(MinRuntime.protectedUntil(100, 50)).isEqualTo(150);
        assertThat(MinRuntime.protectedUntil(100, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }
}
