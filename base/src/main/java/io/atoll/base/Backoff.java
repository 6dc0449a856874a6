package io.atoll.base;

import java.time.Duration;

/** How long to wait after the n-th failure in a row: doubling, up to a bound. Immutable. */
public record Backoff(Duration initial, Duration max) {
    private static final int DOUBLINGS_MAX = 30;

    /** The wait after this many failures; one failure waits the initial time. */
    public Duration after(int failures) {
        int doublings = Math.clamp(failures - 1L, 0, DOUBLINGS_MAX);
        Duration delay = initial.multipliedBy(1L << doublings);
        return delay.compareTo(max) > 0 ? max : delay;
    }
}
