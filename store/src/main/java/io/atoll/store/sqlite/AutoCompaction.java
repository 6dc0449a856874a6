package io.atoll.store.sqlite;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.OptionalLong;

/**
 * Decides when a store compacts itself, from samples of which revision was the latest at which time.
 *
 * <p>Confined to the store's writer.
 */
final class AutoCompaction {
    private static final int SAMPLES_PER_KEEP = 5;

    private record Sample(long millis, long revision) {}

    private final CompactionPolicy policy;
    private final InstantSource clock;
    private final long sampleMillis;
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private long asked;

    AutoCompaction(CompactionPolicy policy, InstantSource clock) {
        this.policy = policy;
        this.clock = clock;
        this.sampleMillis = policy.keepFor().toMillis() / SAMPLES_PER_KEEP;
    }

    /** The revision to compact to after a commit, if it is time and worth it. */
    OptionalLong due(long revision, long compacted) {
        long now = clock.millis();
        if (samples.isEmpty() || now - samples.getLast().millis >= sampleMillis) {
            samples.addLast(new Sample(now, revision));
        }
        long old = 0;
        while (!samples.isEmpty()
                && now - samples.getFirst().millis >= policy.keepFor().toMillis()) {
            old = samples.removeFirst().revision;
        }
        if (old > 0) {
            asked = Math.max(asked, Math.min(old, revision - policy.keepRevisions()));
            if (asked - compacted >= policy.keepRevisions()) {
                return OptionalLong.of(asked);
            }
        }
        return OptionalLong.empty();
    }

    /** Forgets what was asked for, so that a later sample asks again. */
    void failed() {
        asked = 0;
    }
}
