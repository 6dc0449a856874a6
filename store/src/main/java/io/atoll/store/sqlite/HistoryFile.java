package io.atoll.store.sqlite;

import io.atoll.store.InvalidStoreException;
import io.atoll.store.Store.Entry;
import io.atoll.store.Store.Event;
import io.atoll.store.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * The SQL of a store: one table that holds every change under its revision, until compaction.
 *
 * <p>Owns the file's only connection, which locks the file against other processes. Confined to the store's writer. A
 * row points at the row that it replaced, so that no second index has to be kept: a key's value at an old revision is
 * found by undoing what came later.
 */
final class HistoryFile implements AutoCloseable {
    /** "ATOL": marks a file as ours. */
    private static final int APPLICATION_ID = 0x41544F4C;

    private static final int SCHEMA_VERSION = 1;
    private static final int WAL_BYTES_KEPT = 4 << 20;

    private static final String SCHEMA = """
            CREATE TABLE history (
              revision INTEGER PRIMARY KEY,
              previous INTEGER NOT NULL,
              created INTEGER NOT NULL,
              key TEXT NOT NULL,
              value BLOB
            )""";

    private final Connection connection;

    private HistoryFile(Connection connection) {
        this.connection = connection;
    }

    /** Opens a file, and makes it when it is missing or empty. */
    @SuppressWarnings("MustBeClosedChecker")
    static HistoryFile open(Path file, int pageCacheKib) {
        SQLiteConfig config = new SQLiteConfig();
        config.setLockingMode(SQLiteConfig.LockingMode.EXCLUSIVE);
        config.setBusyTimeout(0);
        boolean made = Files.notExists(file);
        try {
            Connection connection = config.createConnection("jdbc:sqlite:" + file.toAbsolutePath());
            try {
                checkSchema(file, connection);
                execute(connection, "PRAGMA journal_mode = WAL");
                execute(connection, "PRAGMA synchronous = FULL");
                execute(connection, "PRAGMA journal_size_limit = " + WAL_BYTES_KEPT);
                execute(connection, "PRAGMA cache_size = -" + pageCacheKib);
                // takes the lock, also when there was nothing to create
                execute(connection, "BEGIN IMMEDIATE");
                execute(connection, "COMMIT");
                if (made) {
                    Durable.syncFolderOf(file); // SQLite syncs its logs' names there, not its own
                }
                return new HistoryFile(connection);
            } catch (SQLException | RuntimeException e) {
                closeQuietly(connection, e);
                throw e;
            }
        } catch (SQLException e) {
            throw failure("cannot open " + file, e);
        }
    }

    private static void checkSchema(Path file, Connection connection) throws SQLException {
        int applicationId = (int) number(connection, "PRAGMA application_id");
        int version = (int) number(connection, "PRAGMA user_version");
        boolean empty = number(connection, "SELECT count(*) FROM sqlite_schema") == 0;
        if (empty && applicationId == 0 && version == 0) {
            execute(connection, "BEGIN IMMEDIATE");
            execute(connection, SCHEMA);
            execute(connection, "CREATE TABLE mark (revision INTEGER NOT NULL, compacted INTEGER NOT NULL)");
            execute(connection, "INSERT INTO mark (revision, compacted) VALUES (0, 0)");
            execute(connection, "PRAGMA application_id = " + APPLICATION_ID);
            execute(connection, "PRAGMA user_version = " + SCHEMA_VERSION);
            execute(connection, "COMMIT");
        } else if (applicationId != APPLICATION_ID) {
            throw new InvalidStoreException(file + " is not an Atoll store, it is another program's SQLite file");
        } else if (version != SCHEMA_VERSION) {
            throw new InvalidStoreException(
                    file + " has store schema " + version + ", this Atoll reads " + SCHEMA_VERSION);
        }
    }

    /** Where the history begins and ends. */
    record Mark(long revision, long compacted) {}

    Mark mark() {
        String sql = """
                SELECT max(mark.revision, coalesce((SELECT max(revision) FROM history), 0)), mark.compacted
                FROM mark""";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) {
                throw new InvalidStoreException("the store's mark is missing; restore a snapshot");
            }
            return new Mark(row.getLong(1), row.getLong(2));
        } catch (SQLException e) {
            throw failure("cannot read the store", e);
        }
    }

    /** Reads the latest value of every key. */
    void readCurrent(Consumer<Entry> into) {
        String sql = """
                SELECT revision, created, key, value FROM history
                WHERE value IS NOT NULL AND revision NOT IN (SELECT previous FROM history)""";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                into.accept(new Entry(row.getString(3), row.getBytes(4), row.getLong(2), row.getLong(1)));
            }
        } catch (SQLException e) {
            throw failure("cannot read the store", e);
        }
    }

    /** Appends events in one transaction and syncs. When it fails, nothing of them is kept. */
    void append(List<Event> events) {
        String sql = "INSERT INTO history (revision, previous, created, key, value) VALUES (?, ?, ?, ?, ?)";
        inTransaction("cannot write to the store", () -> {
            // not kept between batches: SQLite counts it as in progress, which keeps VACUUM from running
            try (PreparedStatement append = connection.prepareStatement(sql)) {
                for (Event event : events) {
                    append.setLong(1, event.revision());
                    append.setLong(2, event.previous().map(Entry::modRevision).orElse(0L));
                    append.setLong(3, event.entry().createRevision());
                    append.setString(4, event.entry().key());
                    if (event.type() == Event.Type.DELETED) {
                        append.setNull(5, Types.BLOB);
                    } else {
                        append.setBytes(5, event.entry().value());
                    }
                    append.executeUpdate();
                }
            }
        });
    }

    /** The first events after a revision, oldest first. */
    List<Event> eventsAfter(long revision, int limit) {
        String sql = """
                SELECT h.revision, h.created, h.key, h.value, h.previous, p.value
                FROM history h LEFT JOIN history p ON p.revision = h.previous
                WHERE h.revision > ? ORDER BY h.revision LIMIT ?""";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, revision);
            statement.setInt(2, limit);
            List<Event> events = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    events.add(event(row));
                }
            }
            return events;
        } catch (SQLException e) {
            throw failure("cannot read the store", e);
        }
    }

    private static Event event(ResultSet row) throws SQLException {
        long revision = row.getLong(1);
        long created = row.getLong(2);
        String key = row.getString(3);
        byte[] value = row.getBytes(4);
        long previousRevision = row.getLong(5);
        byte[] previousValue = row.getBytes(6);
        if (previousRevision == 0) {
            return new Event(Event.Type.CREATED, new Entry(key, value, created, revision), Optional.empty());
        }
        if (previousValue == null) {
            throw new InvalidStoreException("the store has lost revision " + previousRevision + ", which revision "
                    + revision + " replaced; restore a snapshot");
        }
        Entry previous = new Entry(key, previousValue, created, previousRevision);
        return value == null
                ? new Event(Event.Type.DELETED, new Entry(key, previousValue, created, revision), Optional.of(previous))
                : new Event(Event.Type.UPDATED, new Entry(key, value, created, revision), Optional.of(previous));
    }

    /** Forgets what the changes in (from, to] replaced, and their deletions; keeps the latest revision in the mark. */
    void compact(long from, long to, long latestRevision) {
        String range = "revision > " + from + " AND revision <= " + to;
        inTransaction("cannot compact the store", () -> {
            execute(
                    connection,
                    "DELETE FROM history WHERE revision IN (SELECT previous FROM history WHERE " + range + ")");
            execute(connection, "DELETE FROM history WHERE value IS NULL AND " + range);
            execute(connection, "UPDATE mark SET revision = " + latestRevision + ", compacted = " + to);
        });
    }

    /** Copies the store into a file that does not exist. Does not sync it. */
    void copyTo(Path file) {
        try {
            execute(
                    connection,
                    "VACUUM INTO '" + file.toAbsolutePath().toString().replace("'", "''") + "'");
        } catch (SQLException e) {
            throw failure("cannot write the snapshot " + file, e);
        }
    }

    /** Limits the file's size, as a full disk would; 0 lifts the limit. For tests. */
    void limitPages(long pages) {
        try {
            execute(connection, "PRAGMA max_page_count = " + (pages == 0 ? Integer.MAX_VALUE : pages));
        } catch (SQLException e) {
            throw failure("cannot limit the store", e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw failure("cannot close the store", e);
        }
    }

    private interface Statements {
        void run() throws SQLException;
    }

    private void inTransaction(String whatFailed, Statements statements) {
        try {
            execute(connection, "BEGIN IMMEDIATE");
            statements.run();
            execute(connection, "COMMIT");
        } catch (SQLException e) {
            rollback(e);
            throw failure(whatFailed, e);
        }
    }

    private void rollback(SQLException cause) {
        try {
            execute(connection, "ROLLBACK");
        } catch (SQLException e) {
            // SQLite has rolled back by itself after some errors; then there is no transaction to end
            cause.addSuppressed(e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static void closeQuietly(Connection connection, Exception cause) {
        try {
            connection.close();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /** Whether a failure left the file as it was, to go on with once there is space. */
    static boolean diskIsFull(RuntimeException failure) {
        return failure.getCause() instanceof SQLException e && code(e) == SQLiteErrorCode.SQLITE_FULL;
    }

    private static SQLiteErrorCode code(SQLException e) {
        return SQLiteErrorCode.getErrorCode(e.getErrorCode() & 0xff);
    }

    private static RuntimeException failure(String what, SQLException e) {
        return switch (code(e)) {
            case SQLITE_NOTADB -> new InvalidStoreException(what + ": it is not a store file", e);
            case SQLITE_CORRUPT -> new InvalidStoreException(what + ": it is damaged; restore a snapshot", e);
            case SQLITE_FULL -> new StoreUnavailableException(what + ": the disk is full", e);
            case SQLITE_BUSY, SQLITE_LOCKED -> new StoreUnavailableException(what + ": another process has it open", e);
            case SQLITE_CANTOPEN -> new StoreUnavailableException(what + ": no such folder, or no permission", e);
            case SQLITE_READONLY -> new StoreUnavailableException(what + ": it is read-only", e);
            default -> new StoreUnavailableException(what + ": " + e.getMessage(), e);
        };
    }
}
