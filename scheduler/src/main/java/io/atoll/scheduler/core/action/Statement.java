package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.Spot;
import io.atoll.scheduler.core.job.Place;
import io.atoll.scheduler.core.job.Task;
import io.atoll.scheduler.core.job.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes that are tried on a session, and kept or taken back. On the scheduler's thread. */
final class Statement {
    private final Session session;
    private final List<Change> changes = new ArrayList<>();

    private record Change(
            Task task, Task.State before, @Nullable Eviction evictionBefore) {}

    Statement(Session session) {
        this.session = session;
    }

    /** Gives a pod what is free, or promises it what others leave. */
    void place(Task task, Spot spot) {
        Place place = new Place(spot.node(), spot.gpuGroups());
        Task.State evicted = task.state().evicted();
        if (evicted != null && Objects.equals(evicted.place(), place)) {
            set(task, evicted, null);
        } else if (evicted != null) {
            set(task, new Task.State(TaskStatus.PIPELINED, place, evicted), session.eviction(task));
        } else {
            TaskStatus status = spot.now() ? TaskStatus.ALLOCATED : TaskStatus.PIPELINED;
            set(task, Task.State.of(status, place), null);
        }
    }

    /** Makes what a pod was given a promise. */
    void postpone(Task task) {
        set(task, Task.State.of(TaskStatus.PIPELINED, task.place()), null);
    }

    void evict(Task task, Eviction eviction) {
        set(task, new Task.State(TaskStatus.RELEASING, null, task.state()), eviction);
    }

    /** Leaves a pod alone that was to be evicted. */
    void keep(Task task) {
        Task.State evicted = task.state().evicted();
        if (evicted != null) {
            set(task, evicted, null);
        }
    }

    private void set(Task task, Task.State state, @Nullable Eviction eviction) {
        changes.add(new Change(task, task.state(), session.eviction(task)));
        session.set(task, state, eviction);
    }

    /** How many changes there are: what to roll back to. */
    int checkpoint() {
        return changes.size();
    }

    void rollback(int checkpoint) {
        while (changes.size() > checkpoint) {
            Change last = changes.removeLast();
            session.set(last.task, last.before, last.evictionBefore);
        }
    }

    void discard() {
        rollback(0);
    }

    /** Keeps what has been tried, for good, and starts afresh. */
    void commit() {
        changes.clear();
    }
}
