package io.atoll.node.runtime;

import java.time.Instant;

/**
 * How a container ended. Immutable.
 *
 * @param code 128 plus the signal's number when a signal ended it
 * @param reason as in {@code state.terminated.reason}
 * @param message as in {@code state.terminated.message}; empty for none
 */
public record Exit(int code, String reason, String message, Instant startedAt, Instant finishedAt) {
    /** The exit of a container that really ran. */
    public static Exit of(int code, String message, Instant startedAt, Instant finishedAt) {
        return new Exit(code, code == 0 ? "Completed" : "Error", message, startedAt, finishedAt);
    }
}
