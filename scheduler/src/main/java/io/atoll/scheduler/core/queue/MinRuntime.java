package io.atoll.scheduler.core.queue;

import org.jspecify.annotations.Nullable;

/**
 * How long a job runs undisturbed. All times in milliseconds. Stateless.
 *
 * @param preemptDefaultMillis where no queue on the way says anything
 * @param reclaimDefaultMillis where no queue on the way says anything
 * @param reclaimFrom where the way begins on which a minimum for reclaim is looked for
 */
public record MinRuntime(long preemptDefaultMillis, long reclaimDefaultMillis, ReclaimFrom reclaimFrom) {

    /** KAI's {@code reclaimResolveMethod}. */
    public enum ReclaimFrom {
        /** Just below the lowest queue above both: siblings settle between them what protects whose jobs. */
        LOWEST_COMMON_ANCESTOR,
        /** The victim's own queue. */
        QUEUE
    }

    /** No protection where no queue asks for it. */
    public static final MinRuntime NONE = new MinRuntime(0, 0, ReclaimFrom.LOWEST_COMMON_ANCESTOR);

    public MinRuntime {
        if (preemptDefaultMillis < 0 || reclaimDefaultMillis < 0) {
            throw new IllegalArgumentException("a minimum runtime below zero");
        }
    }

    /** Against jobs of the same queue: the first minimum from the queue upward. */
    public long forPreempt(Queue victim) {
        for (Queue queue = victim; queue != null; queue = queue.parent()) {
            Long millis = queue.spec().preemptMinRuntimeMillis();
            if (millis != null) {
                return millis;
            }
        }
        return preemptDefaultMillis;
    }

    /** Against jobs of another queue: the first minimum upward from where {@link #reclaimFrom} says. */
    public long forReclaim(Queue reclaimer, Queue victim) {
        Queue branch = victim.branchApartFrom(reclaimer);
        @Nullable Queue first = reclaimFrom == ReclaimFrom.QUEUE || branch == null ? victim : branch;
        for (Queue queue = first; queue != null; queue = queue.parent()) {
            Long millis = queue.spec().reclaimMinRuntimeMillis();
            if (millis != null) {
                return millis;
            }
        }
        return reclaimDefaultMillis;
    }

    /** Until when, exclusively, a job that started then is protected. */
    public static long protectedUntil(long startedMillis, long minRuntimeMillis) {
        long until = startedMillis + minRuntimeMillis;
        return until < startedMillis ? Long.MAX_VALUE : until;
    }
}
