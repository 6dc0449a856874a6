package io.atoll.store.sqlite;

import io.atoll.store.CompactedException;
import io.atoll.store.FutureRevisionException;
import io.atoll.store.InvalidStoreException;
import io.atoll.store.Store;
import io.atoll.store.StoreUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A store in one SQLite file: every change under its revision on disk, the latest value of every key in memory.
 *
 * <p>Only the {@link Writer} touches the file and the watchers. A batch goes decide, append, sync, apply, deliver to
 * watchers, answer; what fails before the apply has not happened. After a failure other than a full disk the file is
 * opened anew before the next batch.
 */
public final class SqliteStore implements Store {
    /** History is read, and compacted, in pieces of this many revisions, with writes in between. */
    private static final int HISTORY_EVENTS_AT_ONCE = 1_000;

    private final Path file;
    private final SqliteOptions options;
    private final Writer writer;
    private final CurrentState state;
    private final Watchers watchers = new Watchers();
    private final AutoCompaction autoCompaction;
    private @Nullable HistoryFile history; // of the writer; null when it has to be opened anew
    private volatile long compacted;
    private volatile @Nullable String closedBecause;

    private SqliteStore(Path file, SqliteOptions options, Executor threads, InstantSource clock, HistoryFile history) {
        this.file = file;
        this.options = options;
        this.history = history;
        this.state = new CurrentState(new EventRing(options.ringEventsMax(), options.ringBytesMax()));
        this.autoCompaction = new AutoCompaction(options.compaction(), clock);
        this.writer = new Writer(threads, options.batchChangesMax(), options.queuedCommitsMax(), this::commitBatch);
        HistoryFile.Mark mark = history.mark();
        history.readCurrent(state::load);
        state.loaded(mark.revision());
        compacted = mark.compacted();
    }

    /**
     * Opens a store, and makes it when the file is missing.
     *
     * @throws InvalidStoreException when the file is no store of ours, or damaged
     * @throws StoreUnavailableException when it cannot be opened, or another process has it open
     */
    public static SqliteStore open(Path file) {
        return open(file, SqliteOptions.DEFAULT);
    }

    /** As {@link #open(Path)} with bounds of one's own. */
    public static SqliteStore open(Path file, SqliteOptions options) {
        return open(file, options, WriterThreads.shared(), InstantSource.system());
    }

    /**
     * As {@link #open(Path)}.
     *
     * @param threads run the store's work, which blocks in native calls
     */
    public static SqliteStore open(Path file, SqliteOptions options, Executor threads, InstantSource clock) {
        HistoryFile history = HistoryFile.open(file, options.pageCacheKib());
        try {
            return new SqliteStore(file, options, threads, clock, history);
        } catch (RuntimeException e) {
            history.close();
            throw e;
        }
    }

    @Override
    public long revision() {
        requireOpen();
        return state.revision();
    }

    @Override
    public Optional<Entry> get(String key) {
        requireOpen();
        return state.get(key);
    }

    @Override
    public Page list(String prefix, long revision, String startAfter, int limit) {
        requireOpen();
        if (revision == 0) {
            return state.list(prefix, startAfter, limit);
        }
        requireKept(revision);
        return state.listRecent(prefix, revision, startAfter, limit)
                .orElseGet(() -> writer.call(() -> listFromHistory(prefix, revision, startAfter, limit)));
    }

    @Override
    public CommitResult commit(Change change) {
        return commitAll(List.of(change)).getFirst();
    }

    @Override
    public List<CommitResult> commitAll(List<Change> changes) {
        requireOpen();
        return changes.isEmpty() ? List.of() : writer.commit(List.copyOf(changes));
    }

    @Override
    public Subscription watch(String prefix, long afterRevision, WatchListener listener) {
        requireOpen();
        Watchers.Watcher watcher = new Watchers.Watcher(prefix, listener);
        return writer.call(() -> {
            requireOpen();
            requireKept(afterRevision);
            catchUp(watcher, afterRevision);
            return watcher;
        });
    }

    @Override
    public void compact(long revision) {
        requireOpen();
        if (revision > state.revision()) {
            throw new FutureRevisionException("revision " + revision + " has not happened yet");
        }
        while (compacted < revision) {
            writer.call(() -> compactPiece(revision));
        }
    }

    @Override
    public void snapshot(Path target) {
        requireOpen();
        Path absolute = target.toAbsolutePath();
        if (Files.exists(absolute)) {
            throw new StoreUnavailableException("cannot write the snapshot " + target + ": the file exists");
        }
        Path partial = absolute.resolveSibling(absolute.getFileName() + ".partial");
        try {
            Files.deleteIfExists(partial);
            writer.call(() -> {
                openHistory().copyTo(partial);
                return partial;
            });
            Durable.sync(partial);
            Files.move(partial, absolute, StandardCopyOption.ATOMIC_MOVE);
            Durable.syncFolderOf(absolute);
        } catch (IOException e) {
            throw new StoreUnavailableException("cannot write the snapshot " + target + ": " + e.getMessage(), e);
        } finally {
            deleteQuietly(partial);
        }
    }

    @Override
    public void close() {
        if (closedBecause == null) {
            writer.call(() -> {
                fail("the store is closed");
                return closedBecause;
            });
        }
    }

    /** Limits the file's size, as a full disk would; 0 lifts the limit. For tests. */
    void limitPages(long pages) {
        writer.call(() -> {
            openHistory().limitPages(pages);
            return pages;
        });
    }

    /** The changes that history on disk reaches back to; for tests. */
    long compactedRevision() {
        return compacted;
    }

    // ---- on the writer ----

    private void commitBatch(List<Writer.Commit> batch) {
        try {
            requireOpen();
            Decision decision = new Decision(state);
            List<List<CommitResult>> results = new ArrayList<>(batch.size());
            for (Writer.Commit commit : batch) {
                results.add(decision.decide(commit.changes()));
            }
            if (!decision.events().isEmpty()) {
                append(decision.events());
            }
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).results().complete(results.get(i));
            }
        } catch (StoreUnavailableException | InvalidStoreException e) {
            String message = String.valueOf(e.getMessage());
            batch.forEach(commit -> commit.results().completeExceptionally(new StoreUnavailableException(message, e)));
        } catch (RuntimeException | Error e) {
            // our bug: what is in memory may not be what is on disk, so stop before more is built on it
            fail("the store stopped: " + e);
            batch.forEach(commit -> commit.results().completeExceptionally(e));
        }
    }

    private void append(List<Event> events) {
        HistoryFile open = openHistory();
        if (state.revision() + 1 != events.getFirst().revision()) {
            // opening anew has found changes that the last failure had kept after all
            throw new StoreUnavailableException("the store was opened anew, try again");
        }
        try {
            open.append(events);
        } catch (StoreUnavailableException | InvalidStoreException e) {
            if (!HistoryFile.diskIsFull(e)) {
                closeHistory();
            }
            throw e;
        }
        state.apply(events);
        watchers.deliver(events);
        autoCompaction.due(state.revision(), compacted).ifPresent(this::compactInBackground);
    }

    private HistoryFile openHistory() {
        HistoryFile open = history;
        if (open == null) {
            requireOpen();
            open = HistoryFile.open(file, options.pageCacheKib());
            List<Event> missed = open.eventsAfter(state.revision(), Integer.MAX_VALUE);
            history = open;
            state.apply(missed);
            watchers.deliver(missed);
        }
        return open;
    }

    private void closeHistory() {
        HistoryFile open = history;
        history = null;
        if (open != null) {
            try {
                open.close();
            } catch (StoreUnavailableException | InvalidStoreException e) {
                // the file is being given up because it failed already; the next open tells what is wrong
                return;
            }
        }
    }

    private void fail(String reason) {
        if (closedBecause == null) {
            closedBecause = reason;
            watchers.close(reason);
            closeHistory();
        }
    }

    /** Delivers what has happened, in pieces, then makes the watch live. */
    private void catchUp(Watchers.Watcher watcher, long afterRevision) {
        if (watcher.ended()) {
            return;
        }
        if (closedBecause != null) {
            watcher.end(String.valueOf(closedBecause));
            return;
        }
        Optional<List<Event>> recent = state.recentEvents(afterRevision, Integer.MAX_VALUE);
        if (recent.isPresent()) {
            watcher.deliver(recent.get());
            watchers.add(watcher);
            watchers.removeEnded();
            return;
        }
        if (afterRevision < compacted) {
            watcher.end("revision " + afterRevision + " has been compacted");
            return;
        }
        try {
            List<Event> piece = openHistory().eventsAfter(afterRevision, HISTORY_EVENTS_AT_ONCE);
            watcher.deliver(piece);
            long reached = piece.isEmpty() ? state.revision() : piece.getLast().revision();
            writer.run(() -> catchUp(watcher, reached));
        } catch (StoreUnavailableException | InvalidStoreException e) {
            watcher.end(String.valueOf(e.getMessage()));
        }
    }

    private Page listFromHistory(String prefix, long revision, String startAfter, int limit) {
        requireOpen();
        requireKept(revision);
        List<Event> later = openHistory().eventsAfter(revision, Integer.MAX_VALUE);
        return state.listBefore(later, prefix, revision, startAfter, limit);
    }

    private long compactPiece(long revision) {
        requireOpen();
        long from = compacted;
        if (from < revision) {
            long to = Math.min(revision, from + HISTORY_EVENTS_AT_ONCE);
            openHistory().compact(from, to, state.revision());
            compacted = to;
        }
        return compacted;
    }

    private void compactInBackground(long revision) {
        writer.run(() -> {
            try {
                if (closedBecause == null && compactPiece(revision) < revision) {
                    compactInBackground(revision);
                }
            } catch (StoreUnavailableException | InvalidStoreException e) {
                // nothing is lost: history stays longer, and the next commit that is due tries again
                autoCompaction.failed();
            }
        });
    }

    // ---- any thread ----

    private void requireOpen() {
        String reason = closedBecause;
        if (reason != null) {
            throw new StoreUnavailableException(reason);
        }
    }

    private void requireKept(long revision) {
        if (revision > state.revision()) {
            throw new FutureRevisionException(
                    "revision " + revision + " has not happened yet, the latest is " + state.revision());
        }
        if (revision < compacted) {
            throw new CompactedException("revision " + revision + " has been compacted, the oldest is " + compacted);
        }
    }

    private static void deleteQuietly(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
