package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.Place;
import io.atoll.scheduler.core.job.Task;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a cycle decided, in the order of decision. Immutable. */
public record CyclePlan(List<Bind> binds, List<Evict> evicts, List<Nominate> nominates, List<Waiting> waiting) {
    public CyclePlan {
        binds = List.copyOf(binds);
        evicts = List.copyOf(evicts);
        nominates = List.copyOf(nominates);
        waiting = List.copyOf(waiting);
    }

    /** A pod that goes to a node now. */
    public record Bind(Task task, Place place) {}

    /**
     * A pod that is to be deleted.
     *
     * @param movesTo where its successor is to go; null when nowhere
     */
    public record Evict(
            Task task, Eviction eviction, @Nullable Place movesTo) {}

    /** A pod that waits for others to leave a node. */
    public record Nominate(Task task, Place place) {}

    /** A job that has pods without a node, and why. */
    public record Waiting(Job job, WaitReason reason) {}
}
