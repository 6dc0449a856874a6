package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.PlacementStrategy;
import io.atoll.scheduler.core.queue.MinRuntime;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the actions work. Immutable.
 *
 * @param actions what a cycle does; always in the order of {@link Action}
 * @param gpuStrategy how pods with GPUs are laid out
 * @param cpuStrategy how other pods are laid out
 * @param kValue how much past use weighs in fair shares; at least 0
 * @param consolidationPreempteesMax pods that one job may have moved for it; -1 for any number, 0 for none
 * @param allowConsolidatingReclaim whether reclaim may move pods that it may not take from
 * @param saturationMultiplier by how much fuller the other queue must stay, relative to fair shares; at least 1
 * @param queueDepth jobs of one queue that an action looks at; -1 for all
 * @param stalenessGrace how long a job may run with fewer pods than it must have; null for ever
 * @param minRuntime how long jobs run undisturbed
 */
public record SessionOptions(
        Set<Action> actions,
        PlacementStrategy gpuStrategy,
        PlacementStrategy cpuStrategy,
        double kValue,
        int consolidationPreempteesMax,
        boolean allowConsolidatingReclaim,
        double saturationMultiplier,
        int queueDepth,
        @Nullable Duration stalenessGrace,
        MinRuntime minRuntime) {
    /** KAI's defaults. */
    public static final SessionOptions DEFAULT = new SessionOptions(
            EnumSet.allOf(Action.class),
            PlacementStrategy.BINPACK,
            PlacementStrategy.BINPACK,
            0,
            16,
            true,
            1,
            -1,
            Duration.ofSeconds(60),
            MinRuntime.NONE);

    public SessionOptions {
        actions = Set.copyOf(actions);
        if (kValue < 0 || saturationMultiplier < 1 || consolidationPreempteesMax < -1 || queueDepth < -1) {
            throw new IllegalArgumentException("kValue must be at least 0, saturationMultiplier at least 1,"
                    + " consolidationPreempteesMax and queueDepth at least -1");
        }
    }

    public SessionOptions withActions(Set<Action> wanted) {
        return new SessionOptions(
                wanted,
                gpuStrategy,
                cpuStrategy,
                kValue,
                consolidationPreempteesMax,
                allowConsolidatingReclaim,
                saturationMultiplier,
                queueDepth,
                stalenessGrace,
                minRuntime);
    }

    public SessionOptions withConsolidationPreempteesMax(int max) {
        return new SessionOptions(
                actions,
                gpuStrategy,
                cpuStrategy,
                kValue,
                max,
                allowConsolidatingReclaim,
                saturationMultiplier,
                queueDepth,
                stalenessGrace,
                minRuntime);
    }
}
