package io.atoll.store.sqlite;

import java.time.Duration;

/**
 * How much history a store keeps by itself. A change is forgotten once it is superseded, older than {@code keepFor},
 * and not among the latest {@code keepRevisions}.
 *
 * <p>Looked at after commits only: an idle store costs nothing.
 */
public record CompactionPolicy(Duration keepFor, int keepRevisions) {
    /** As kube-apiserver: five minutes. */
    public static final CompactionPolicy DEFAULT = new CompactionPolicy(Duration.ofMinutes(5), 1_000);

    /** Only {@link io.atoll.store.Store#compact} forgets. */
    public static final CompactionPolicy NEVER = new CompactionPolicy(Duration.ofDays(36_500), Integer.MAX_VALUE);

    public CompactionPolicy {
        if (keepFor.isNegative() || keepRevisions < 1) {
            throw new IllegalArgumentException("keepFor must not be negative and keepRevisions must be at least 1");
        }
    }
}
