package io.atoll.store.sqlite;

/**
 * Bounds of one store.
 *
 * @param batchChangesMax changes that share one sync; a {@code commitAll} of more is a batch of its own
 * @param queuedCommitsMax commits that may wait for the writer; more are refused as unavailable
 * @param ringEventsMax latest events kept in memory for watches that start in the past; older ones come from the file
 * @param ringBytesMax bytes of values that those events may hold; the oldest are dropped first
 * @param pageCacheKib SQLite's page cache
 */
public record SqliteOptions(
        int batchChangesMax,
        int queuedCommitsMax,
        int ringEventsMax,
        int ringBytesMax,
        int pageCacheKib,
        CompactionPolicy compaction) {
    public static final SqliteOptions DEFAULT =
            new SqliteOptions(512, 10_000, 4_096, 1 << 20, 96, CompactionPolicy.DEFAULT);

    public SqliteOptions {
        if (batchChangesMax < 1 || queuedCommitsMax < 1 || ringEventsMax < 1 || ringBytesMax < 1 || pageCacheKib < 1) {
            throw new IllegalArgumentException("bounds of a store must be at least 1");
        }
    }

    public SqliteOptions withCompaction(CompactionPolicy policy) {
        return new SqliteOptions(batchChangesMax, queuedCommitsMax, ringEventsMax, ringBytesMax, pageCacheKib, policy);
    }
}
