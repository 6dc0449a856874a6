package io.atoll.scheduler.scenario;

import java.util.Locale;

/** Where a pod is on its way, in the words of the rows. */
enum PodState {
    PENDING,
    GATED,
    ALLOCATED,
    PIPELINED,
    BINDING,
    BOUND,
    RUNNING,
    RELEASING,
    SUCCEEDED,
    FAILED,
    UNKNOWN;

    static PodState parse(String where, String text) {
        String name = text.substring(text.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT);
        try {
            return valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + ": no such state: " + text, e);
        }
    }

    /** Whether the pod holds room on a node, if only until it is gone. */
    boolean holdsRoom() {
        return switch (this) {
            case ALLOCATED, BINDING, BOUND, RUNNING, RELEASING -> true;
            case PENDING, GATED, PIPELINED, SUCCEEDED, FAILED, UNKNOWN -> false;
        };
    }

    /** What becomes of this state once binds have happened, evicted pods are back and freed room is taken. */
    PodState settled() {
        return switch (this) {
            case ALLOCATED, PIPELINED, BINDING, BOUND -> RUNNING;
            case RELEASING -> PENDING;
            case PENDING, GATED, RUNNING, SUCCEEDED, FAILED, UNKNOWN -> this;
        };
    }
}
