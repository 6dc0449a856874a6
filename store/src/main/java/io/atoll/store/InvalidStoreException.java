package io.atoll.store;

/** Raised when a file is not a store of ours, is damaged, or was written by a newer version. */
public final class InvalidStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidStoreException(String message) {
        super(message);
    }

    public InvalidStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
