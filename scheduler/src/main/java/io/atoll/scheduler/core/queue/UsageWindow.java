package io.atoll.scheduler.core.queue;

import java.util.function.LongUnaryOperator;

/** How far back past usage counts. All times in milliseconds since the epoch. */
public sealed interface UsageWindow {

    /** The last so many milliseconds, kept in slices; the oldest one counts as far as it still reaches in. */
    record Sliding(long sizeMillis) implements UsageWindow {
        static final int SLICES = 24;

        public Sliding {
            if (sizeMillis < SLICES) {
                throw new IllegalArgumentException("a usage window of " + sizeMillis + " ms");
            }
        }

        long sliceMillis() {
            return sizeMillis / SLICES;
        }
    }

    /** Windows of equal size one after the other, beginning at {@code startMillis}; each starts from nothing. */
    record Tumbling(long sizeMillis, long startMillis) implements UsageWindow {
        public Tumbling {
            if (sizeMillis < 1) {
                throw new IllegalArgumentException("a usage window of " + sizeMillis + " ms");
            }
        }
    }

    /**
     * From reset to reset at times that a calendar gives, as KAI's {@code cron} windows.
     *
     * @param lastReset the last reset at or before a time
     */
    record Resets(LongUnaryOperator lastReset) implements UsageWindow {}

    /** KAI's default: a week, sliding. */
    static UsageWindow week() {
        return new Sliding(168L * 60 * 60 * 1000);
    }

    /** How many slices are kept at once. */
    default int slices() {
        return switch (this) {
            case Sliding _ -> Sliding.SLICES + 1;
            case Tumbling _, Resets _ -> 1;
        };
    }

    /** When the slice begins that a time is in. */
    default long sliceStart(long millis) {
        return switch (this) {
            case Sliding sliding -> Math.floorDiv(millis, sliding.sliceMillis()) * sliding.sliceMillis();
            case Tumbling tumbling ->
                tumbling.startMillis()
                        + Math.floorDiv(millis - tumbling.startMillis(), tumbling.sizeMillis()) * tumbling.sizeMillis();
            case Resets resets -> resets.lastReset().applyAsLong(millis);
        };
    }

    /** The place of a slice among those kept. */
    default int slot(long sliceStart) {
        return switch (this) {
            case Sliding sliding -> Math.floorMod(Math.floorDiv(sliceStart, sliding.sliceMillis()), slices());
            case Tumbling _, Resets _ -> 0;
        };
    }

    /** How much of a slice, 0 to 1, counts at a time. */
    default double weight(long sliceStart, long nowMillis) {
        return switch (this) {
            case Sliding sliding -> {
                double inside = (double) (sliceStart + sliding.sliceMillis() - (nowMillis - sliding.sizeMillis()))
                        / sliding.sliceMillis();
                yield sliceStart > nowMillis ? 0 : Math.clamp(inside, 0, 1);
            }
            case Tumbling _, Resets _ -> sliceStart == sliceStart(nowMillis) ? 1 : 0;
        };
    }
}
