package io.atoll.store;

import io.atoll.store.Store.Change;
import io.atoll.store.Store.CommitResult;
import io.atoll.store.Store.Entry;
import io.atoll.store.Store.Event;
import io.atoll.store.Store.Page;
import io.atoll.store.Store.Subscription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What every engine must do, behind the {@link Store} interface alone. */
public abstract class StoreContract {
    @TempDir
    protected Path folder;

    protected Store store;

    /** Opens the same store each time; a second call is a restart. */
    protected abstract Store open(Path folder);

    /** Opens what {@link Store#snapshot} wrote. */
    protected abstract Store openSnapshot(Path file);

    @BeforeEach
    void openStore() {
        store = open(folder);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    // ---- create, update, delete ----

    @Test
    void newStoreIsEmptyAtRevisionZero() {
        assertThat(store.revision()).isZero();
        assertThat(store.get("/a")).isEmpty();
        assertThat(store.list("/", 0, "", 0)).isEqualTo(new Page(0, List.of(), 0));
    }

    @Test
    void createAnswersWithTheEntryAndItsRevision() {
        Entry entry = create("/a", "1");
        assertThat(entry.createRevision()).isEqualTo(1);
        assertThat(entry.modRevision()).isEqualTo(1);
        assertThat(store.revision()).isEqualTo(1);
        assertThat(text("/a")).isEqualTo("1");
    }

    @Test
    void createOfAnExistingKeyConflictsAndShowsIt() {
        create("/a", "1");
        CommitResult result = store.commit(new Change.Create("/a", bytes("2")));
        assertThat(conflict(result))
                .hasValueSatisfying(entry -> assertThat(entry.modRevision()).isEqualTo(1));
        assertThat(text("/a")).isEqualTo("1");
        assertThat(store.revision()).isEqualTo(1);
    }

    @Test
    void updateKeepsTheCreateRevision() {
        create("/a", "1");
        create("/b", "1");
        Entry updated = update("/a", "2", 1);
        assertThat(updated.createRevision()).isEqualTo(1);
        assertThat(updated.modRevision()).isEqualTo(3);
        assertThat(text("/a")).isEqualTo("2");
    }

    @Test
    void updateOfAnOldRevisionConflicts() {
        create("/a", "1");
        update("/a", "2", 1);
        assertThat(conflict(store.commit(new Change.Update("/a", bytes("3"), 1))))
                .isPresent();
        assertThat(text("/a")).isEqualTo("2");
        assertThat(store.revision()).isEqualTo(2);
    }

    @Test
    void updateOfAMissingKeyConflictsWithNothing() {
        assertThat(conflict(store.commit(new Change.Update("/a", bytes("3"), 1))))
                .isEmpty();
    }

    @Test
    void deleteTakesARevisionAndAnswersWithTheLastValue() {
        create("/a", "1");
        Entry deleted = committed(store.commit(new Change.Delete("/a", 1)));
        assertThat(deleted.modRevision()).isEqualTo(2);
        assertThat(new String(deleted.value(), UTF_8)).isEqualTo("1");
        assertThat(store.get("/a")).isEmpty();
        assertThat(store.revision()).isEqualTo(2);
    }

    @Test
    void deleteOfAnOldRevisionConflicts() {
        create("/a", "1");
        update("/a", "2", 1);
        assertThat(conflict(store.commit(new Change.Delete("/a", 1)))).isPresent();
        assertThat(text("/a")).isEqualTo("2");
    }

    @Test
    void deleteOfAMissingKeyConflictsWithNothing() {
        assertThat(conflict(store.commit(new Change.Delete("/a", 1)))).isEmpty();
    }

    @Test
    void createAfterDeleteIsANewKey() {
        create("/a", "1");
        delete("/a", 1);
        Entry again = create("/a", "2");
        assertThat(again.createRevision()).isEqualTo(3);
    }

    @Test
    void emptyAndLargeValuesComeBackAsTheyWere() {
        byte[] large = new byte[3 << 20];
        new Random(7).nextBytes(large);
        committed(store.commit(new Change.Create("/large", large)));
        committed(store.commit(new Change.Create("/empty", new byte[0])));
        restart();
        assertThat(store.get("/large").orElseThrow().value()).isEqualTo(large);
        assertThat(store.get("/empty").orElseThrow().value()).isEmpty();
    }

    // ---- several changes at once ----

    @Test
    void commitAllTakesConsecutiveRevisions() {
        List<CommitResult> results =
                store.commitAll(List.of(new Change.Create("/a", bytes("1")), new Change.Create("/b", bytes("1"))));
        assertThat(results.stream().map(StoreContract::committed).map(Entry::modRevision))
                .containsExactly(1L, 2L);
    }

    @Test
    void commitAllMakesNothingWhenOneConflicts() {
        create("/b", "1");
        List<CommitResult> results = store.commitAll(List.of(
                new Change.Create("/a", bytes("1")),
                new Change.Create("/b", bytes("2")),
                new Change.Create("/c", bytes("1"))));
        assertThat(results.get(0)).isEqualTo(new CommitResult.Aborted());
        assertThat(conflict(results.get(1))).isPresent();
        assertThat(results.get(2)).isEqualTo(new CommitResult.Aborted());
        assertThat(store.get("/a")).isEmpty();
        assertThat(store.revision()).isEqualTo(1);
        assertThat(create("/a", "1").modRevision()).isEqualTo(2);
    }

    @Test
    void commitAllSeesItsOwnEarlierChanges() {
        store.commitAll(List.of(
                new Change.Create("/a", bytes("1")),
                new Change.Update("/a", bytes("2"), 1),
                new Change.Delete("/a", 2),
                new Change.Create("/a", bytes("3"))));
        assertThat(text("/a")).isEqualTo("3");
        assertThat(store.revision()).isEqualTo(4);
        restart();
        assertThat(text("/a")).isEqualTo("3");
    }

    @Test
    void commitAllOfNothingAnswersNothing() {
        assertThat(store.commitAll(List.of())).isEmpty();
    }

    // ---- list ----

    @Test
    void listIsInTheOrderOfUtf8Bytes() {
        for (String key : List.of("/b", "/a/b", "/a", "/a-b", "/ä", "/\uffee", "/\ud83d\ude00")) {
            create(key, "1");
        }
        assertThat(keys(store.list("/", 0, "", 0)))
                .containsExactly("/a", "/a-b", "/a/b", "/b", "/ä", "/\uffee", "/\ud83d\ude00");
    }

    @Test
    void listTakesOnlyThePrefix() {
        for (String key : List.of("/pods/a/x", "/pods/ab/x", "/pods/b/x", "/pod", "/q")) {
            create(key, "1");
        }
        assertThat(keys(store.list("/pods/a/", 0, "", 0))).containsExactly("/pods/a/x");
        assertThat(keys(store.list("/pods/", 0, "", 0))).containsExactly("/pods/a/x", "/pods/ab/x", "/pods/b/x");
        assertThat(keys(store.list("/none/", 0, "", 0))).isEmpty();
    }

    @Test
    void pagesCoverTheListOnceAndCountWhatFollows() {
        IntStream.range(10, 35).forEach(i -> create("/k/" + i, "1"));
        create("/l", "1");
        List<String> seen = new ArrayList<>();
        String after = "";
        Page page;
        do {
            page = store.list("/k/", 26, after, 10);
            seen.addAll(keys(page));
            assertThat(page.remaining()).isEqualTo(25 - seen.size());
            after = seen.getLast();
        } while (page.remaining() > 0);
        assertThat(seen)
                .isEqualTo(IntStream.range(10, 35).mapToObj(i -> "/k/" + i).toList());
    }

    @Test
    void laterPagesShowTheFirstPagesRevision() {
        create("/a", "1");
        create("/b", "1");
        create("/c", "1");
        Page first = store.list("/", 0, "", 1);
        update("/b", "2", 2);
        delete("/c", 3);
        create("/bb", "1");
        Page second = store.list("/", first.revision(), "/a", 0);
        assertThat(keys(second)).containsExactly("/b", "/c");
        assertThat(second.entries().getFirst().modRevision()).isEqualTo(2);
        assertThat(second.revision()).isEqualTo(3);
    }

    @Test
    void listAtEachPastRevisionShowsWhatWasThereThen() {
        List<Map<String, String>> truth = randomHistory(11, 120);
        for (int revision = 1; revision < truth.size(); revision++) {
            assertThat(contents(store.list("/", revision, "", 0)))
                    .as("revision %s", revision)
                    .isEqualTo(truth.get(revision));
        }
    }

    @Test
    void listAtEachPastRevisionAlsoAfterARestart() {
        List<Map<String, String>> truth = randomHistory(12, 120);
        restart();
        for (int revision = 1; revision < truth.size(); revision++) {
            assertThat(contents(store.list("/", revision, "", 0)))
                    .as("revision %s", revision)
                    .isEqualTo(truth.get(revision));
        }
    }

    @Test
    void listOfAFutureRevisionIsRefused() {
        create("/a", "1");
        assertThatThrownBy(() -> store.list("/", 2, "", 0)).isInstanceOf(FutureRevisionException.class);
    }

    // ---- watch ----

    @Test
    void watchDeliversEveryKindOfChangeWithWhatWasThereBefore() {
        RecordingListener listener = new RecordingListener();
        try (Subscription _ = store.watch("/", 0, listener)) {
            create("/a", "1");
            update("/a", "2", 1);
            delete("/a", 2);
            List<Event> events = listener.awaitEvents(3);
            assertThat(events.stream().map(Event::type))
                    .containsExactly(Event.Type.CREATED, Event.Type.UPDATED, Event.Type.DELETED);
            assertThat(events.stream().map(Event::revision)).containsExactly(1L, 2L, 3L);
            assertThat(events.get(0).previous()).isEmpty();
            assertThat(events.get(1).previous().orElseThrow().modRevision()).isEqualTo(1);
            assertThat(events.get(2).previous().orElseThrow().modRevision()).isEqualTo(2);
            assertThat(new String(events.get(2).entry().value(), UTF_8)).isEqualTo("2");
        }
    }

    @Test
    void upToDateWatchHasSeenAChangeBeforeItsCommitReturns() {
        RecordingListener listener = new RecordingListener();
        try (Subscription _ = store.watch("/", 0, listener)) {
            for (int i = 1; i <= 50; i++) {
                create("/" + i, "1");
                assertThat(listener.events()).hasSize(i);
            }
        }
    }

    @Test
    void watchTakesOnlyThePrefix() {
        RecordingListener listener = new RecordingListener();
        try (Subscription _ = store.watch("/a/", 0, listener)) {
            create("/a/1", "1");
            create("/b/1", "1");
            create("/a/2", "1");
            assertThat(listener.awaitEvents(2).stream().map(e -> e.entry().key()))
                    .containsExactly("/a/1", "/a/2");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 59, 119, 120})
    void watchFromARevisionDeliversTheRestThenLive(int after) {
        randomHistory(13, 120);
        RecordingListener listener = new RecordingListener();
        try (Subscription _ = store.watch("/", after, listener)) {
            create("/live", "1");
            assertRevisions(listener.awaitEvents(121 - after), after);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 59, 119, 120})
    void watchFromARevisionBeforeARestart(int after) {
        randomHistory(13, 120);
        RecordingListener before = new RecordingListener();
        store.watch("/", after, before);
        before.awaitEvents(120 - after);
        restart();
        RecordingListener listener = new RecordingListener();
        try (Subscription _ = store.watch("/", after, listener)) {
            create("/live", "1");
            List<Event> events = listener.awaitEvents(121 - after);
            assertRevisions(events, after);
            assertThat(events.subList(0, 120 - after))
                    .usingRecursiveComparison()
                    .isEqualTo(before.events());
        }
    }

    @Test
    void watchWhileManyWriteMissesAndDoublesNothing() throws Exception {
        List<RecordingListener> listeners = new ArrayList<>();
        inParallel(8, writer -> {
            for (int i = 0; i < 40; i++) {
                create("/" + writer + "/" + i, "1");
                if (i % 10 == 0) {
                    RecordingListener listener = new RecordingListener();
                    synchronized (listeners) {
                        listeners.add(listener);
                    }
                    store.watch("/", 0, listener);
                }
            }
        });
        for (RecordingListener listener : listeners) {
            assertRevisions(listener.awaitEvents(320), 0);
        }
    }

    @Test
    void closedWatchGetsNothingMore() {
        RecordingListener listener = new RecordingListener();
        Subscription subscription = store.watch("/", 0, listener);
        create("/a", "1");
        subscription.close();
        create("/b", "1");
        assertThat(listener.events()).hasSize(1);
    }

    @Test
    void watchOfAFutureRevisionIsRefused() {
        assertThatThrownBy(() -> store.watch("/", 1, new RecordingListener()))
                .isInstanceOf(FutureRevisionException.class);
    }

    @Test
    void failingListenerLosesItsWatchAndHurtsNobodyElse() {
        RecordingListener good = new RecordingListener();
        List<String> closed = new ArrayList<>();
        store.watch("/", 0, new Store.WatchListener() {
            @Override
            public void onEvents(List<Event> events) {
                throw new IllegalArgumentException("broken listener");
            }

            @Override
            public void onClosed(String reason) {
                closed.add(reason);
            }
        });
        store.watch("/", 0, good);
        create("/a", "1");
        create("/b", "1");
        assertThat(closed).singleElement().asString().contains("broken listener");
        assertThat(good.awaitEvents(2)).hasSize(2);
    }

    @Test
    void listenerMayReadButNotWrite() {
        List<Object> seen = new ArrayList<>();
        store.watch("/", 0, new Store.WatchListener() {
            @Override
            public void onEvents(List<Event> events) {
                seen.add(store.get("/a").orElseThrow().modRevision());
                try {
                    store.commit(new Change.Create("/b", bytes("1")));
                } catch (IllegalStateException e) {
                    seen.add("refused");
                }
            }

            @Override
            public void onClosed(String reason) {}
        });
        create("/a", "1");
        assertThat(seen).containsExactly(1L, "refused");
    }

    @Test
    void closeEndsWatchesAndRefusesEverything() {
        RecordingListener listener = new RecordingListener();
        store.watch("/", 0, listener);
        store.close();
        assertThat(listener.awaitClosed()).containsExactly("the store is closed");
        assertThatThrownBy(() -> store.get("/a")).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> create("/a", "1")).isInstanceOf(StoreUnavailableException.class);
        store.close();
    }

    // ---- compaction ----

    @Test
    void compactionKeepsTheStateAtItsRevisionAndAllAfterIt() {
        List<Map<String, String>> truth = randomHistory(14, 120);
        RecordingListener before = new RecordingListener();
        store.watch("/", 60, before);
        before.awaitEvents(60);
        store.compact(60);
        restart();
        for (int revision = 60; revision < truth.size(); revision++) {
            assertThat(contents(store.list("/", revision, "", 0)))
                    .as("revision %s", revision)
                    .isEqualTo(truth.get(revision));
        }
        RecordingListener after = new RecordingListener();
        store.watch("/", 60, after);
        assertThat(after.awaitEvents(60)).usingRecursiveComparison().isEqualTo(before.events());
    }

    @Test
    void compactedRevisionsAreRefused() {
        randomHistory(15, 20);
        store.compact(10);
        for (int round = 0; round < 2; round++) {
            assertThatThrownBy(() -> store.list("/", 9, "", 0)).isInstanceOf(CompactedException.class);
            assertThatThrownBy(() -> store.watch("/", 9, new RecordingListener()))
                    .isInstanceOf(CompactedException.class);
            store.list("/", 10, "", 0);
            restart();
        }
    }

    @Test
    void compactingAgainOrEarlierDoesNothing() {
        List<Map<String, String>> truth = randomHistory(16, 20);
        store.compact(10);
        store.compact(10);
        store.compact(5);
        assertThat(contents(store.list("/", 10, "", 0))).isEqualTo(truth.get(10));
        assertThatThrownBy(() -> store.compact(21)).isInstanceOf(FutureRevisionException.class);
    }

    @Test
    void revisionDoesNotGoBackWhenTheLastChangesWereCompactedDeletes() {
        create("/a", "1");
        delete("/a", 1);
        store.compact(2);
        restart();
        assertThat(store.revision()).isEqualTo(2);
        assertThat(create("/a", "1").modRevision()).isEqualTo(3);
        restart();
        assertThat(store.revision()).isEqualTo(3);
    }

    // ---- restart, snapshot, many writers ----

    @Test
    void everythingIsThereAfterARestart() {
        List<Map<String, String>> truth = randomHistory(17, 200);
        List<Entry> before = store.list("/", 0, "", 0).entries();
        restart();
        assertThat(store.revision()).isEqualTo(200);
        assertThat(contents(store.list("/", 0, "", 0))).isEqualTo(truth.getLast());
        assertThat(store.list("/", 0, "", 0).entries())
                .usingRecursiveComparison()
                .isEqualTo(before);
    }

    @Test
    void snapshotIsAStoreOfItsOwnAtTheSameRevision() {
        List<Map<String, String>> truth = randomHistory(18, 60);
        Path file = folder.resolve("snapshot");
        store.snapshot(file);
        create("/later", "1");
        try (Store copy = openSnapshot(file)) {
            assertThat(copy.revision()).isEqualTo(60);
            assertThat(contents(copy.list("/", 0, "", 0))).isEqualTo(truth.getLast());
            assertThat(contents(copy.list("/", 30, "", 0))).isEqualTo(truth.get(30));
            committed(copy.commit(new Change.Create("/other", bytes("1"))));
        }
        assertThat(store.get("/other")).isEmpty();
    }

    @Test
    void snapshotOverAFileIsRefusedAndLeavesIt() throws Exception {
        Path file = Files.writeString(folder.resolve("taken"), "mine");
        assertThatThrownBy(() -> store.snapshot(file))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("exists");
        assertThat(file).hasContent("mine");
    }

    @Test
    void writersOfOneKeyEachWinOnce() throws Exception {
        create("/n", "0");
        inParallel(8, _ -> {
            for (int done = 0; done < 25; ) {
                Entry entry = store.get("/n").orElseThrow();
                String next = String.valueOf(Integer.parseInt(new String(entry.value(), UTF_8)) + 1);
                if (store.commit(new Change.Update("/n", bytes(next), entry.modRevision()))
                        instanceof CommitResult.Committed) {
                    done++;
                }
            }
        });
        assertThat(text("/n")).isEqualTo("200");
        assertThat(store.revision()).isEqualTo(201);
    }

    @Test
    void oneOfManyCreatorsOfAKeyWins() throws Exception {
        List<CommitResult> results = new ArrayList<>();
        inParallel(16, writer -> {
            CommitResult result = store.commit(new Change.Create("/a", bytes("" + writer)));
            synchronized (results) {
                results.add(result);
            }
        });
        assertThat(results).filteredOn(CommitResult.Committed.class::isInstance).hasSize(1);
        assertThat(store.revision()).isEqualTo(1);
    }

    // ---- what the cases are made of ----

    protected final void restart() {
        store.close();
        store = open(folder);
    }

    /** Makes seeded changes to a few keys; answers with the contents at each revision. */
    protected final List<Map<String, String>> randomHistory(long seed, int changes) {
        Random random = new Random(seed);
        List<Map<String, String>> truth = new ArrayList<>(List.of(new TreeMap<>()));
        for (int i = 0; i < changes; i++) {
            String key = "/k" + random.nextInt(12);
            Map<String, String> next = new TreeMap<>(truth.getLast());
            Optional<Entry> current = store.get(key);
            if (current.isEmpty()) {
                create(key, "v" + i);
                next.put(key, "v" + i);
            } else if (random.nextInt(3) == 0) {
                delete(key, current.get().modRevision());
                next.remove(key);
            } else {
                update(key, "v" + i, current.get().modRevision());
                next.put(key, "v" + i);
            }
            truth.add(next);
        }
        return truth;
    }

    /** A writer's part of a test. */
    protected interface WriterBody {
        void write(int writer);
    }

    protected static void inParallel(int writers, WriterBody body) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                int writer = i;
                tasks.add(() -> {
                    body.write(writer);
                    return null;
                });
            }
            for (Future<Void> future : threads.invokeAll(tasks)) {
                future.get();
            }
        }
    }

    protected final Entry create(String key, String value) {
        return committed(store.commit(new Change.Create(key, bytes(value))));
    }

    protected final Entry update(String key, String value, long expected) {
        return committed(store.commit(new Change.Update(key, bytes(value), expected)));
    }

    protected final void delete(String key, long expected) {
        committed(store.commit(new Change.Delete(key, expected)));
    }

    protected final String text(String key) {
        return new String(store.get(key).orElseThrow().value(), UTF_8);
    }

    protected static Entry committed(CommitResult result) {
        assertThat(result).isInstanceOf(CommitResult.Committed.class);
        return ((CommitResult.Committed) result).entry();
    }

    protected static Optional<Entry> conflict(CommitResult result) {
        assertThat(result).isInstanceOf(CommitResult.Conflict.class);
        return ((CommitResult.Conflict) result).current();
    }

    protected static List<String> keys(Page page) {
        return page.entries().stream().map(Entry::key).toList();
    }

    protected static Map<String, String> contents(Page page) {
        Map<String, String> contents = new TreeMap<>();
        page.entries().forEach(entry -> contents.put(entry.key(), new String(entry.value(), UTF_8)));
        return contents;
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static void assertRevisions(List<Event> events, long after) {
        long expected = after;
        for (Event event : events) {
            assertThat(event.revision()).isEqualTo(++expected);
        }
    }
}
