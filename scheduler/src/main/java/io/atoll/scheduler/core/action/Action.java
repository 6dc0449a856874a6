package io.atoll.scheduler.core.action;

/** A part of a cycle, in the order in which a cycle does them. */
public enum Action {
    /** Gives pods nodes that have room. */
    ALLOCATE,
    /** Moves pods so that a job that fits nowhere fits. */
    CONSOLIDATION,
    /** Takes from queues that have more than their share for those that have less. */
    RECLAIM,
    /** Takes from jobs of lower priority in the same queue. */
    PREEMPT,
    /** Ends jobs that run with fewer pods than they must have. */
    STALE_GANG_EVICTION
}
