package io.atoll.apiserver.watch;

/** Receives one resource's changes in revision order, on one thread at a time. Must not block. */
public interface ChangeListener {
    /** The state from which the changes go on; called first, and only when it was asked for. */
    void onPresent(Snapshot present);

    void onChange(Change change);

    /** Every change up to the revision has been delivered. */
    void onProgress(long revision);

    /** Nothing follows. */
    void onClosed();
}
