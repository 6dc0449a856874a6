package io.atoll.store;

/** Raised when the revision has not happened yet. */
public final class FutureRevisionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FutureRevisionException(String message) {
        super(message);
    }

    public FutureRevisionException(String message, Throwable cause) {
        super(message, cause);
    }
}
