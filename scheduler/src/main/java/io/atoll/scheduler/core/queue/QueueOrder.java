package io.atoll.scheduler.core.queue;

import org.jspecify.annotations.Nullable;

/**
 * Which of two sibling queues has its next job tried first. A total order for a fixed state: first whoever is not over
 * its share, then whoever stays within its quota, then priority, then the smaller dominant share; see
 * docs/internals/queues.md. Stateless, allocates nothing.
 */
public final class QueueOrder {
    /** How much heavier a use without any share weighs than the same part of the cluster. */
    private static final double WITHOUT_SHARE = 1000;

    private QueueOrder() {}

    /**
     * Negative if the left queue goes first, positive if the right one does; 0 only for a queue and itself.
     *
     * @param leftNext what the left queue's next job asks for; null to compare without a job
     * @param leftRemoved what has been taken from the left queue as a victim; null for nothing
     * @param total what the cluster has for the queues
     */
    public static int compare(
            Queue left,
            @Nullable ResourceVector leftNext,
            Queue right,
            @Nullable ResourceVector rightNext,
            @Nullable ResourceVector leftRemoved,
            @Nullable ResourceVector rightRemoved,
            ResourceVector total) {
        int order = Boolean.compare(overShare(left, leftRemoved), overShare(right, rightRemoved));
        if (order != 0) {
            return order;
        }
        order = Boolean.compare(
                !withinQuota(left, leftNext, leftRemoved), !withinQuota(right, rightNext, rightRemoved));
        if (order != 0) {
            return order;
        }
        order = Integer.compare(right.spec().priority(), left.spec().priority());
        if (order != 0) {
            return order;
        }
        order = Boolean.compare(
                usesWithoutShare(left, leftNext, leftRemoved), usesWithoutShare(right, rightNext, rightRemoved));
        if (order != 0) {
            return order;
        }
        order = Double.compare(
                dominantShare(left, leftNext, leftRemoved, total),
                dominantShare(right, rightNext, rightRemoved, total));
        if (order != 0) {
            return order;
        }
        order = Double.compare(
                dominantShare(left, null, leftRemoved, total), dominantShare(right, null, rightRemoved, total));
        if (order != 0) {
            return order;
        }
        return byAllocatableShareThenAge(left, right);
    }

    private static boolean overShare(Queue queue, @Nullable ResourceVector removed) {
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            if (queue.fairShare().get(resource) >= held(queue, null, removed, resource)) {
                return false;
            }
        }
        return true;
    }

    private static boolean withinQuota(Queue queue, @Nullable ResourceVector next, @Nullable ResourceVector removed) {
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            if (!ResourceVector.lessOrEqual(
                    held(queue, next, removed, resource), queue.spec().quota().get(resource))) {
                return false;
            }
        }
        return true;
    }

    private static boolean usesWithoutShare(
            Queue queue, @Nullable ResourceVector next, @Nullable ResourceVector removed) {
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            if (held(queue, next, removed, resource) > 0 && queue.allocatableShare(resource) == 0) {
                return true;
            }
        }
        return false;
    }

    /** The largest part, over the resources, of what the queue may come to hold. */
    static double dominantShare(
            Queue queue, @Nullable ResourceVector next, @Nullable ResourceVector removed, ResourceVector total) {
        double dominant = 0;
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            long held = held(queue, next, removed, resource);
            if (held > 0) {
                dominant = Math.max(dominant, share(held, queue.allocatableShare(resource), total.get(resource)));
            }
        }
        return dominant;
    }

    private static double share(long held, long allocatable, long total) {
        if (allocatable == ResourceVector.UNLIMITED) {
            return (double) held / total;
        }
        if (allocatable == 0) {
            return (double) held / total * WITHOUT_SHARE;
        }
        return (double) held / allocatable;
    }

    private static long held(
            Queue queue, @Nullable ResourceVector next, @Nullable ResourceVector removed, int resource) {
        long held = queue.allocated().get(resource);
        if (next != null) {
            held += next.get(resource);
        }
        if (removed != null) {
            held -= removed.get(resource);
        }
        return held;
    }

    private static int byAllocatableShareThenAge(Queue left, Queue right) {
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            // As unsigned numbers, unlimited is the largest.
            int order = Long.compareUnsigned(left.allocatableShare(resource), right.allocatableShare(resource));
            if (order != 0) {
                return order;
            }
        }
        int order = Long.compare(left.spec().createdMillis(), right.spec().createdMillis());
        return order != 0 ? order : left.name().compareTo(right.name());
    }
}
