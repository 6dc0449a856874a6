package io.atoll.scheduler.core.job;

import io.atoll.scheduler.core.PendingPod;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** One pod of a job and how far it is. On the scheduler's thread. */
public final class Task {
    /** The first to be placed first: rank, then age, then uid. */
    public static final Comparator<Task> ORDER = Comparator.comparing(Task::rank, TaskRank.ORDER)
            .thenComparing(task -> task.pod.created())
            .thenComparing(task -> task.pod.uid())
            .thenComparing(Task::key);

    private final PendingPod pod;
    private final PodSet podSet;
    private final TaskRank rank;
    private State state;
    private @Nullable String nominatedNode;

    /**
     * How far a pod is. Immutable.
     *
     * @param place the node that it takes room on, or is promised room on; null when there is none
     * @param evicted what it was before the cycle that runs evicted it; null when that does not evict it
     */
    public record State(
            TaskStatus status,
            @Nullable Place place,
            @Nullable State evicted) {
        public static final State PENDING = new State(TaskStatus.PENDING, null, null);

        public static State of(TaskStatus status, @Nullable Place place) {
            return new State(status, place, null);
        }
    }

    Task(PodSet podSet, PendingPod pod, TaskRank rank, State state) {
        this.podSet = podSet;
        this.pod = pod;
        this.rank = rank;
        this.state = state;
    }

    public PendingPod pod() {
        return pod;
    }

    /** Namespace and name, with a slash. */
    public String key() {
        return pod.key();
    }

    public PodSet podSet() {
        return podSet;
    }

    public Job job() {
        return podSet.job();
    }

    TaskRank rank() {
        return rank;
    }

    public State state() {
        return state;
    }

    public TaskStatus status() {
        return state.status;
    }

    /** Where it takes room or is promised room; null when nowhere. */
    public @Nullable Place place() {
        return state.place;
    }

    /** Whether the cycle that runs evicts it; it may have been given a new place since. */
    public boolean isEvicted() {
        return state.evicted != null;
    }

    /** The node that the pod's status nominates. */
    public @Nullable String nominatedNode() {
        return nominatedNode;
    }

    public void nominate(@Nullable String nominated) {
        nominatedNode = nominated;
    }

    /** Sets how far the pod is. */
    public void set(State newState) {
        podSet.count(state, -1);
        state = newState;
        podSet.count(state, 1);
    }

    @Override
    public String toString() {
        Place place = state.place;
        return key() + " " + state.status + (place == null ? "" : " on " + place.node());
    }
}
