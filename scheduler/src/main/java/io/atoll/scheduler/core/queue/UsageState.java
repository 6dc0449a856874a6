package io.atoll.scheduler.core.queue;

import java.util.List;
import java.util.SortedMap;

/**
 * What a {@link UsageHistory} remembers, for keeping across restarts. Nothing but numbers and names.
 *
 * @param recordedMillis when it was last recorded
 */
public record UsageState(long recordedMillis, List<Slice> slices) {

    /** Before anything was recorded. */
    public static final UsageState EMPTY = new UsageState(Long.MIN_VALUE, List.of());

    /**
     * A part of the window.
     *
     * @param startMillis when it begins
     * @param referenceMillis the time to which the amounts are decayed
     * @param queues by queue name; who used nothing is not named
     */
    public record Slice(long startMillis, long referenceMillis, Amount capacity, SortedMap<String, Amount> queues) {}

    /** Resource times time: millionths of GPUs, thousandths of cores, bytes, each times milliseconds. */
    public record Amount(double gpu, double cpu, double memory) {}
}
