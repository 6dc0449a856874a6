package io.atoll.store.sqlite;

import io.atoll.store.InvalidStoreException;
import io.atoll.store.RecordingListener;
import io.atoll.store.Store;
import io.atoll.store.Store.Change;
import io.atoll.store.StoreContract;
import io.atoll.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SqliteStoreTest {
    @TempDir
    Path folder;

    /** The contract, with the ring that stores have by default. */
    @Nested
    class Contract extends StoreContract {
        @Override
        protected Store open(Path folder) {
            return SqliteStore.open(folder.resolve("store.db"));
        }

        @Override
        protected Store openSnapshot(Path file) {
            return SqliteStore.open(file);
        }
    }

    /** The contract again with so small a ring that what is old comes from the file. */
    @Nested
    class ContractFromHistory extends StoreContract {
        @Override
        protected Store open(Path folder) {
            SqliteOptions options = new SqliteOptions(4, 10_000, 8, 100, 16, CompactionPolicy.NEVER);
            return SqliteStore.open(folder.resolve("store.db"), options);
        }

        @Override
        protected Store openSnapshot(Path file) {
            return SqliteStore.open(file);
        }
    }

    @Test
    void fullDiskRefusesWritesKeepsReadsAndGoesOnWhenThereIsSpace() {
        byte[] value = new byte[2_000];
        try (SqliteStore store = SqliteStore.open(file())) {
            store.commit(new Change.Create("/before", value));
            store.limitPages(40);
            int written = 0;
            while (true) {
                try {
                    store.commit(new Change.Create("/" + written, value));
                    written++;
                } catch (StoreUnavailableException e) {
                    assertThat(e).hasMessage("cannot write to the store: the disk is full");
                    break;
                }
            }
            long revision = store.revision();
            assertThat(revision).isEqualTo(1 + written);
            assertThatThrownBy(() -> store.commit(new Change.Create("/again", value)))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(store.get("/again")).isEmpty();
            assertThat(store.get("/before")).isPresent();
            assertThat(store.revision()).isEqualTo(revision);

            store.limitPages(0);
            assertThat(store.commit(new Change.Create("/again", value)))
                    .isInstanceOfSatisfying(
                            Store.CommitResult.Committed.class,
                            done -> assertThat(done.entry().modRevision()).isEqualTo(revision + 1));
        }
        try (SqliteStore store = SqliteStore.open(file())) {
            assertThat(store.get("/again")).isPresent();
            assertThat(store.list("/", 0, "", 0).entries()).hasSize((int) store.revision());
        }
    }

    @Test
    void foreignFilesAreRefusedAndLeftAlone() throws Exception {
        Files.writeString(file(), "this is a text file, long enough to have a header of a hundred bytes ".repeat(4));
        byte[] before = Files.readAllBytes(file());
        assertThatThrownBy(() -> SqliteStore.open(file()))
                .isInstanceOf(InvalidStoreException.class)
                .hasMessageContaining("not a store file");
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
    }

    @Test
    void databasesOfOtherProgramsAreRefused() throws Exception {
        sql("CREATE TABLE bookmarks (url TEXT)");
        assertThatThrownBy(() -> SqliteStore.open(file()))
                .isInstanceOf(InvalidStoreException.class)
                .hasMessageContaining("another program's SQLite file");
    }

    @Test
    void newerSchemasAreRefused() throws Exception {
        SqliteStore.open(file()).close();
        sql("PRAGMA user_version = 2");
        assertThatThrownBy(() -> SqliteStore.open(file()))
                .isInstanceOf(InvalidStoreException.class)
                .hasMessageContaining("has store schema 2, this Atoll reads 1");
    }

    @Test
    void damagedFilesAreRefused() throws Exception {
        try (SqliteStore store = SqliteStore.open(file())) {
            for (int i = 0; i < 200; i++) {
                store.commit(new Change.Create("/" + i, new byte[500]));
            }
        }
        byte[] content = Files.readAllBytes(file());
        java.util.Arrays.fill(content, 4096, content.length, (byte) 0x5a);
        Files.write(file(), content);
        assertThatThrownBy(() -> SqliteStore.open(file()))
                .isInstanceOf(InvalidStoreException.class)
                .hasMessageContaining("damaged");
    }

    @Test
    void missingFoldersAreNamed() {
        Path missing = folder.resolve("no/such/store.db");
        assertThatThrownBy(() -> SqliteStore.open(missing))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(missing.toString());
    }

    @Test
    void secondOpenOfTheSameFileIsRefused() {
        try (SqliteStore store = SqliteStore.open(file())) {
            assertThatThrownBy(() -> SqliteStore.open(file()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("another process has it open");
            store.commit(new Change.Create("/a", "1".getBytes(UTF_8)));
        }
        SqliteStore.open(file()).close();
    }

    @Test
    void commitsBeyondTheQueuesBoundAreRefused() throws Exception {
        SqliteOptions options = new SqliteOptions(512, 3, 64, 1 << 20, 96, CompactionPolicy.NEVER);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (SqliteStore store = SqliteStore.open(file(), options)) {
            store.watch("/first", 0, new Store.WatchListener() {
                @Override
                public void onEvents(java.util.List<Store.Event> events) {
                    entered.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }

                @Override
                public void onClosed(String reason) {}
            });
            Thread first = Thread.startVirtualThread(() -> store.commit(new Change.Create("/first", new byte[1])));
            entered.await();
            AtomicInteger refused = new AtomicInteger();
            CountDownLatch someoneRefused = new CountDownLatch(1);
            Thread[] others = new Thread[8];
            for (int i = 0; i < others.length; i++) {
                String key = "/other/" + i;
                others[i] = Thread.startVirtualThread(() -> {
                    try {
                        store.commit(new Change.Create(key, new byte[1]));
                    } catch (StoreUnavailableException e) {
                        refused.incrementAndGet();
                        someoneRefused.countDown();
                    }
                });
            }
            someoneRefused.await();
            release.countDown();
            first.join();
            for (Thread other : others) {
                other.join();
            }
            assertThat(refused.get()).isBetween(1, 5);
            assertThat(store.revision()).isEqualTo(9 - refused.get());
        }
    }

    @Test
    void compactsByItselfWhatIsOldAndSuperseded() {
        ManualClock clock = new ManualClock();
        SqliteOptions options = SqliteOptions.DEFAULT.withCompaction(new CompactionPolicy(Duration.ofMinutes(5), 10));
        try (SqliteStore store = SqliteStore.open(file(), options, Runnable::run, clock)) {
            store.commit(new Change.Create("/a", new byte[1]));
            for (int i = 1; i < 100; i++) {
                store.commit(new Change.Update("/a", new byte[1], i));
            }
            assertThat(store.compactedRevision()).isZero();
            clock.now = clock.now.plus(Duration.ofMinutes(2));
            store.commit(new Change.Update("/a", new byte[1], 100));
            clock.now = clock.now.plus(Duration.ofMinutes(6));
            store.commit(new Change.Update("/a", new byte[1], 101));
            assertThat(store.compactedRevision()).isEqualTo(92);
        }
    }

    @Test
    void snapshotOntoAFullDiskLeavesNothing() throws Exception {
        Path target = folder.resolve("missing-folder").resolve("copy.db");
        try (SqliteStore store = SqliteStore.open(file())) {
            store.commit(new Change.Create("/a", new byte[1]));
            assertThatThrownBy(() -> store.snapshot(target)).isInstanceOf(StoreUnavailableException.class);
        }
        try (var files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString())).containsExactly("store.db");
        }
    }

    @Test
    void watchThatStartsInACompactedPieceOfHistoryEnds() {
        try (SqliteStore store = SqliteStore.open(file())) {
            RecordingListener listener = new RecordingListener();
            store.watch("/", 0, listener);
            store.commit(new Change.Create("/a", new byte[1]));
            store.compact(1);
            assertThat(listener.awaitEvents(1)).hasSize(1);
        }
    }

    private Path file() {
        return folder.resolve("store.db");
    }

    private void sql(String statement) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        } catch (java.sql.SQLException e) {
            throw new IOException(e);
        }
    }

    private static final class ManualClock implements InstantSource {
        private Instant now = Instant.parse("2026-12-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }
    }
}
