package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.queue.Denial;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits. Immutable.
 *
 * @param message one or two lines for people: what is missing and what would help
 * @param denial what a queue's bounds say; null when it is not the queue
 */
public record WaitReason(
        Kind kind, String message, @Nullable Denial denial) {
    /** What holds a job back, by the names that KAI gives them. */
    public enum Kind {
        NOT_READY("NotReady"),
        QUEUE_DOES_NOT_EXIST("QueueDoesNotExist"),
        OVER_LIMIT("OverLimit"),
        NON_PREEMPTIBLE_OVER_QUOTA("NonPreemptibleOverQuota"),
        POD_SCHEDULING_ERRORS("PodSchedulingErrors");

        private final String reason;

        Kind(String reason) {
            this.reason = reason;
        }

        /** The reason as conditions carry it. */
        public String reason() {
            return reason;
        }
    }
}
