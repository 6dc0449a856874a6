package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;

/** Which jobs may lose pods for one job. On the scheduler's thread. */
interface VictimPolicy {
    /** Whether pods of the job may be evicted, whatever else is. */
    boolean admits(Job victim);

    /** Whether the job may lose no more pods than it can spare. */
    boolean protectsCore(Job victim);

    /** Forgets what was lost, and looks at the queues as they are now: before anything is evicted. */
    void begin();

    /** Whether these pods may be lost for good, after those that were lost since {@link #begin}. If so, they are. */
    boolean mayLose(VictimUnit unit);

    /** Notes how a queue stands before pods of it are evicted. */
    default void look(VictimUnit unit) {}

    /** How many units are lost; for {@link #undoTo}. */
    default int mark() {
        return 0;
    }

    /** Takes back what was lost since a mark. */
    default void undoTo(int mark) {}
}
