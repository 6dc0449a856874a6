package io.atoll.base;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The time of day, and work to be done later. Any thread; a test passes one whose time it moves itself.
 *
 * <p>One for the whole process: waiting work costs an entry in a heap, not a thread.
 */
public interface Timers extends InstantSource {
    /** Real time. */
    static Timers system() {
        return SystemTimers.SHARED;
    }

    /** Runs the action once on a virtual thread of its own, no earlier than after the delay. */
    Pending after(Duration delay, Runnable action);

    /** Work that has not run yet. */
    interface Pending {
        /** Keeps it from running, if it has not started. */
        void cancel();
    }
}
