package io.atoll.scheduler.grouper;

/** A workload that cannot be grouped as it is; the message is for its user. */
public final class GroupingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GroupingException(String message) {
        super(message);
    }
}
