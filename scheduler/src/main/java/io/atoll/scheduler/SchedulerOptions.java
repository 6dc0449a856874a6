package io.atoll.scheduler;

import java.util.Set;

/**
 * How a scheduler works.
 *
 * @param schedulerNames pods that name one of these are ours
 * @param seed decides ties between nodes
 * @param bindsMax bindings that may be on their way to the API server at once
 * @param reportsMax conditions that may be on their way at once
 */
public record SchedulerOptions(Set<String> schedulerNames, long seed, int bindsMax, int reportsMax) {
    public static final SchedulerOptions DEFAULT =
            new SchedulerOptions(Set.of("default-scheduler", "atoll-scheduler", "kai-scheduler"), 1, 64, 16);

    public SchedulerOptions {
        schedulerNames = Set.copyOf(schedulerNames);
        if (bindsMax < 1 || reportsMax < 1) {
            throw new IllegalArgumentException("bounds of a scheduler must be at least 1");
        }
    }
}
