package io.atoll.scheduler.core.job;

import io.atoll.scheduler.core.PendingPod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pods of a job that do the same: so many of them must start together. On the scheduler's thread. */
public final class PodSet {
    private final Job job;
    private final String name;
    private final int minAvailable;
    private final @Nullable TopologyConstraint topology;
    private final List<Task> tasks = new ArrayList<>();
    private boolean sorted = true;
    private int active;
    private int allocated;
    private int promised;
    private int pending;
    private int evicted;
    private int gated;
    private int succeeded;

    PodSet(Job job, String name, int minAvailable, @Nullable TopologyConstraint topology) {
        this.job = job;
        this.name = name;
        this.minAvailable = Math.max(1, minAvailable);
        this.topology = topology;
    }

    public Job job() {
        return job;
    }

    public String name() {
        return name;
    }

    public int minAvailable() {
        return minAvailable;
    }

    public @Nullable TopologyConstraint topology() {
        return topology;
    }

    /** In the order of placing. */
    public List<Task> tasks() {
        if (!sorted) {
            tasks.sort(Task.ORDER);
            sorted = true;
        }
        return Collections.unmodifiableList(tasks);
    }

    /** Adds a pod that is as far as the status says. */
    public Task add(PendingPod pod, TaskRank rank, Task.State state) {
        Task task = new Task(this, pod, rank, state);
        tasks.add(task);
        sorted = tasks.size() == 1 || (sorted && Task.ORDER.compare(tasks.get(tasks.size() - 2), task) <= 0);
        count(state, 1);
        return task;
    }

    /** Takes a pod out that is no more. */
    public void remove(Task task) {
        if (tasks.remove(task)) {
            count(task.state(), -1);
        }
    }

    void count(Task.State state, int change) {
        TaskStatus status = state.status();
        active += status.isActive() ? change : 0;
        allocated += status.isAllocated() ? change : 0;
        promised += status == TaskStatus.PIPELINED ? change : 0;
        pending += status == TaskStatus.PENDING ? change : 0;
        evicted += status == TaskStatus.RELEASING && state.evicted() != null ? change : 0;
        gated += status == TaskStatus.GATED ? change : 0;
        succeeded += status == TaskStatus.SUCCEEDED ? change : 0;
    }

    /** Pods that take room, the leaving ones included. */
    public int active() {
        return active;
    }

    /** Pods that take room and stay, or are promised it. */
    public int allocated() {
        return allocated;
    }

    /** Pods that are promised what others leave. */
    public int promised() {
        return promised;
    }

    /** Pods that wait for a node. */
    public int pending() {
        return pending;
    }

    /** Pods that the cycle that runs evicts and has found no new place for. */
    public int evicted() {
        return evicted;
    }

    public int gated() {
        return gated;
    }

    public int succeeded() {
        return succeeded;
    }

    /** Whether as many stay as must. */
    public boolean isSatisfied() {
        return allocated >= minAvailable;
    }

    /** Whether enough pods are there to start. */
    public boolean isReady() {
        return allocated + pending + evicted >= minAvailable;
    }

    @Override
    public String toString() {
        return job + "/" + name;
    }
}
