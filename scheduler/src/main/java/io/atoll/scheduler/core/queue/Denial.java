package io.atoll.scheduler.core.queue;

/**
 * Why a queue may not hold more.
 *
 * @param queue the queue whose bound is reached: the job's own or one above it
 * @param resource an index of {@link ResourceVector}
 * @param bound the limit or quota
 * @param used what counts against it already
 * @param requested what the job asks for
 */
public record Denial(Queue queue, int resource, Kind kind, long bound, long used, long requested) {

    /** Which bound it is. */
    public enum Kind {
        /** KAI's {@code OverLimit}. */
        LIMIT("OverLimit"),
        /** KAI's {@code NonPreemptibleOverQuota}. */
        QUOTA_NON_PREEMPTIBLE("NonPreemptibleOverQuota");

        private final String reason;

        Kind(String reason) {
            this.reason = reason;
        }

        /** The reason in a PodGroup's conditions. */
        public String reason() {
            return reason;
        }
    }

    /** One line for a person, in the units that people read. */
    public String message() {
        String name = queue.spec().displayName();
        String most = ResourceText.amount(resource, bound);
        String numbers = "uses " + ResourceText.number(resource, used) + ", asked for "
                + ResourceText.number(resource, requested);
        return switch (kind) {
            case LIMIT ->
                used >= bound
                        ? "queue " + name + " is at its limit: " + most + ", " + numbers
                        : "queue " + name + " would pass its limit: " + most + ", " + numbers;
            case QUOTA_NON_PREEMPTIBLE ->
                "queue " + name + " guarantees " + most + " to non-preemptible jobs, " + numbers
                        + "; a preemptible job could use more";
        };
    }
}
