package io.atoll.scheduler.core.job;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod stands among those of its job. Immutable.
 *
 * @param leads whether it has a leading role: master, launcher or head
 * @param priority the value of its task priority label; null when it has none
 */
public record TaskRank(boolean leads, @Nullable Integer priority) {
    public static final TaskRank NONE = new TaskRank(false, null);

    /** The first to be placed first. */
    static final Comparator<TaskRank> ORDER = Comparator.comparing(TaskRank::leads)
            .reversed()
            .thenComparing(TaskRank::priority, Comparator.nullsLast(Comparator.reverseOrder()));
}
