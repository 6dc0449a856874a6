package io.atoll.scheduler.core.queue;

/**
 * Something wrong with a declared queue.
 *
 * @param queue the queue's name
 * @param kind what is wrong
 * @param field the field of the Queue object to look at, for example {@code spec.resources.gpu.quota}
 * @param message names the queue, the field, its value and the remedy
 */
public record QueueProblem(String queue, Kind kind, String field, String message) {

    /** What is wrong, and whether the queue can be used in spite of it. */
    public enum Kind {
        DUPLICATE_NAME(true),
        PARENT_MISSING(true),
        PARENT_CYCLE(true),
        /** The queue above is not usable, so neither is this one. */
        ANCESTOR_UNUSABLE(true),
        NEGATIVE_VALUE(false),
        QUOTA_ABOVE_LIMIT(false);

        private final boolean unusable;

        Kind(boolean unusable) {
            this.unusable = unusable;
        }

        /** Whether a queue with this problem is left out of the tree. */
        public boolean unusable() {
            return unusable;
        }
    }
}
