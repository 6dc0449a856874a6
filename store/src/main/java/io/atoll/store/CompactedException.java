package io.atoll.store;

/** Raised when the revision has been compacted away. */
public final class CompactedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CompactedException(String message) {
        super(message);
    }

    public CompactedException(String message, Throwable cause) {
        super(message, cause);
    }
}
