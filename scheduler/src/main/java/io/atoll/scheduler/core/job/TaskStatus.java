package io.atoll.scheduler.core.job;

/** How far a pod of a job is. */
public enum TaskStatus {
    /** It has scheduling gates. */
    GATED,
    /** It waits for a node. */
    PENDING,
    /** The cycle that runs has given it a node. */
    ALLOCATED,
    /** The cycle that runs has promised it what others leave. */
    PIPELINED,
    /** A node was chosen, and the binding is on its way. */
    BINDING,
    /** It has a node and does not run yet. */
    BOUND,
    RUNNING,
    /** It is being deleted, or the cycle that runs evicts it. */
    RELEASING,
    SUCCEEDED,
    FAILED;

    /** Whether it takes room, the leaving ones included. */
    public boolean isActive() {
        return this == RELEASING || isAllocated();
    }

    /** Whether it takes room and stays. */
    public boolean isAllocated() {
        return switch (this) {
            case ALLOCATED, PIPELINED, BINDING, BOUND, RUNNING -> true;
            case GATED, PENDING, RELEASING, SUCCEEDED, FAILED -> false;
        };
    }
}
