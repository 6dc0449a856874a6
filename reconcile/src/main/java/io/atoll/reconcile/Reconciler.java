package io.atoll.reconcile;

import java.time.Duration;

/**
 * Brings what one key names closer to what it should be. Never called twice at once for the same key.
 *
 * <p>It reads the present state and does not rely on what happened; an exception is a failure and is tried again with
 * backoff.
 */
@FunctionalInterface
public interface Reconciler<K> {
    Result reconcile(K key);

    /** What to do with the key next. */
    sealed interface Result {
        /** Nothing until something changes. */
        record Done() implements Result {}

        /** Once more, with backoff, without calling it a failure. */
        record Retry() implements Result {}

        /** Once more after a while. */
        record After(Duration delay) implements Result {}

        Result DONE = new Done();
        Result RETRY = new Retry();

        static Result after(Duration delay) {
            return new After(delay);
        }
    }
}
