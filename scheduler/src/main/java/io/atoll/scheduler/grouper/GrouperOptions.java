package io.atoll.scheduler.grouper;

import io.atoll.scheduler.crd.Preemptibility;
import io.atoll.scheduler.crd.SchedulingKeys;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How pods are grouped.
 *
 * @param schedulerNames pods that name one of these are grouped
 * @param defaultQueue of pods that name none
 * @param knativeGangs whether a Knative revision's minimum scale starts together
 * @param kindDefaults of workloads that say nothing; the first that matches counts
 */
public record GrouperOptions(
        Set<String> schedulerNames, String defaultQueue, boolean knativeGangs, List<KindDefault> kindDefaults) {
    public static final GrouperOptions DEFAULT = new GrouperOptions(
            Set.of(SchedulingKeys.SCHEDULER_NAME, "atoll-scheduler"), SchedulingKeys.DEFAULT_QUEUE, true, List.of());

    /**
     * What workloads of one kind get when they do not say.
     *
     * @param group of the kind; empty for any
     * @param priorityClass empty to leave it
     */
    public record KindDefault(
            String kind, String group, String priorityClass, Optional<Preemptibility> preemptibility) {}

    public GrouperOptions {
        schedulerNames = Set.copyOf(schedulerNames);
        kindDefaults = List.copyOf(kindDefaults);
    }

    public GrouperOptions withKindDefaults(List<KindDefault> others) {
        return new GrouperOptions(schedulerNames, defaultQueue, knativeGangs, others);
    }

    public GrouperOptions withKnativeGangs(boolean gangs) {
        return new GrouperOptions(schedulerNames, defaultQueue, gangs, kindDefaults);
    }
}
