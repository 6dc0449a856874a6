package io.atoll.store;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One tenant's revisioned key-value store: the truth behind its API server.
 *
 * <p>Revisions grow by one with each committed change and are never reused, also across restarts and crashes. Keys are
 * ordered by their UTF-8 bytes. Values are opaque and must not be mutated after they are handed over or received.
 *
 * <p>Any thread may call any method. One writer thread decides, appends, syncs once for a batch, applies, and only then
 * answers: what {@link #commit} returned is durable. Watchers see events in revision order, each exactly once, and those
 * that are up to date have seen a change before its {@link #commit} returns: what is built from a watch is never behind
 * the caller's own writes.
 *
 * <p>Every method raises {@link StoreUnavailableException} after {@link #close} and when the disk fails.
 */
public interface Store extends AutoCloseable {
    /** The revision of the latest committed change; 0 for an empty store. */
    long revision();

    /** The latest value of a key. */
    Optional<Entry> get(String key);

    /**
     * The entries whose keys start with a prefix, in key order.
     *
     * @param revision 0 for the latest, else the state as of that revision
     * @param startAfter empty, or the key after which the page starts
     * @param limit the most entries to return; 0 for all
     * @throws CompactedException when the revision has been compacted away
     * @throws FutureRevisionException when the revision has not happened yet
     */
    Page list(String prefix, long revision, String startAfter, int limit);

    /** Commits one change if its condition holds. Blocks until durable. */
    CommitResult commit(Change change);

    /** Commits all the changes or none, at consecutive revisions in one sync. Blocks until durable. */
    List<CommitResult> commitAll(List<Change> changes);

    /**
     * Calls the listener with every event under the prefix after a revision, first those that have happened, then live.
     *
     * <p>The listener runs on the store's thread: it must not block, and may read but neither write nor watch.
     *
     * @param afterRevision events with a greater revision are delivered; {@link #revision()} for only new ones
     * @throws CompactedException when events after that revision have been compacted away
     * @throws FutureRevisionException when the revision has not happened yet
     */
    Subscription watch(String prefix, long afterRevision, WatchListener listener);

    /**
     * Forgets what was superseded before a revision. Lists and watches from that revision on still work, those from
     * before it fail. Does nothing when that has been compacted already.
     *
     * @throws FutureRevisionException when the revision has not happened yet
     */
    void compact(long revision);

    /** Writes a consistent, durable copy of the store to a file that must not exist; nothing is left when it fails. */
    void snapshot(Path file);

    @Override
    void close();

    /**
     * A key with its value.
     *
     * @param createRevision the revision at which the key came to be
     * @param modRevision the revision of its latest change
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes are shared on purpose: nobody copies or compares them
    record Entry(String key, byte[] value, long createRevision, long modRevision) {}

    /**
     * A page of a list.
     *
     * @param revision the revision that the page shows
     * @param remaining how many entries follow the page
     */
    record Page(long revision, List<Entry> entries, long remaining) {}

    /** A conditional change. */
    sealed interface Change {
        String key();

        /** Creates a key that must not exist. */
        @SuppressWarnings("ArrayRecordComponent")
        record Create(String key, byte[] value) implements Change {}

        /** Replaces the value of a key whose latest change must be at {@code expectedModRevision}. */
        @SuppressWarnings("ArrayRecordComponent")
        record Update(String key, byte[] value, long expectedModRevision) implements Change {}

        /** Deletes a key whose latest change must be at {@code expectedModRevision}. */
        record Delete(String key, long expectedModRevision) implements Change {}
    }

    /** What became of a change. */
    sealed interface CommitResult {
        /** Done, durably. For a delete, {@code entry} holds the last value with the delete's revision. */
        record Committed(Entry entry) implements CommitResult {}

        /** The condition did not hold; {@code current} is what is there, empty when nothing is. */
        record Conflict(Optional<Entry> current) implements CommitResult {}

        /** Another change of the same {@link Store#commitAll} did not hold, so this one was not made. */
        record Aborted() implements CommitResult {}
    }

    /**
     * Something that happened to a key.
     *
     * @param entry the new value; for a delete the last one, with the delete's revision as modRevision
     * @param previous the value before; empty when the key came to be
     */
    record Event(Type type, Entry entry, Optional<Entry> previous) {
        /** What happened. */
        public enum Type {
            CREATED,
            UPDATED,
            DELETED
        }

        public long revision() {
            return entry.modRevision();
        }
    }

    /** Receives events in revision order. */
    interface WatchListener {
        /** The events of one committed batch that lie under the prefix; never empty. Must not block. */
        void onEvents(List<Event> events);

        /** The store closed or can't go on; no more events follow. */
        void onClosed(String reason);
    }

    /** Stops a watch. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
