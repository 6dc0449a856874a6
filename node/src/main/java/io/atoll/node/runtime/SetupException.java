package io.atoll.node.runtime;

/** A pod or a container cannot be started now, but perhaps later: what it refers to is missing, or a disk is full. */
public final class SetupException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * An obstacle.
     *
     * @param reason as in {@code state.waiting.reason}, or an event's reason
     */
    public SetupException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}
