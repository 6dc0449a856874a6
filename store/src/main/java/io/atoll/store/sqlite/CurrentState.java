package io.atoll.store.sqlite;

import io.atoll.store.Store.Entry;
import io.atoll.store.Store.Event;
import io.atoll.store.Store.Page;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * The latest value of every key, with the ring of the latest events; together they show any recent revision.
 *
 * <p>Any thread reads, under a read lock. Only the writer applies events, and only after they are durable.
 */
final class CurrentState {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final NavigableMap<String, Entry> entries = new TreeMap<>(KeyOrder.INSTANCE);
    private final EventRing ring;
    private volatile long revision;

    CurrentState(EventRing ring) {
        this.ring = ring;
    }

    /** Adds an entry while the store is being opened. */
    void load(Entry entry) {
        entries.put(entry.key(), entry);
    }

    /** Sets the revision that the loaded entries show. */
    void loaded(long loadedRevision) {
        revision = loadedRevision;
    }

    long revision() {
        return revision;
    }

    Optional<Entry> get(String key) {
        lock.readLock().lock();
        try {
            return Optional.ofNullable(entries.get(key));
        } finally {
            lock.readLock().unlock();
        }
    }

    void apply(List<Event> events) {
        lock.writeLock().lock();
        try {
            for (Event event : events) {
                if (event.revision() != revision + 1) {
                    throw new AssertionError("event at " + event.revision() + " on top of revision " + revision);
                }
                switch (event.type()) {
                    case CREATED, UPDATED -> entries.put(event.entry().key(), event.entry());
                    case DELETED -> entries.remove(event.entry().key());
                }
                ring.add(event);
                revision = event.revision();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** The events after a revision, oldest first, or empty when the ring no longer has them all. */
    Optional<List<Event>> recentEvents(long afterRevision, int limit) {
        return reading(() -> ring.covers(afterRevision, revision)
                ? Optional.of(ring.after(afterRevision, revision, limit))
                : Optional.empty());
    }

    Page list(String prefix, String startAfter, int limit) {
        return reading(() -> page(prefix, startAfter, limit, Map.of(), revision));
    }

    /** A page as of a recent revision, or empty when the ring does not reach back that far. */
    Optional<Page> listRecent(String prefix, long atRevision, String startAfter, int limit) {
        return reading(() -> {
            if (!ring.covers(atRevision, revision)) {
                return Optional.empty();
            }
            List<Event> later = ring.after(atRevision, revision, Integer.MAX_VALUE);
            return Optional.of(page(prefix, startAfter, limit, undo(prefix, later), atRevision));
        });
    }

    /** A page as of a revision, given all events that came later. */
    Page listBefore(List<Event> later, String prefix, long atRevision, String startAfter, int limit) {
        return reading(() -> page(prefix, startAfter, limit, undo(prefix, later), atRevision));
    }

    /** What the keys that changed since held before: empty for those that were not there. */
    static Map<String, Optional<Entry>> undo(String prefix, List<Event> later) {
        Map<String, Optional<Entry>> before = new HashMap<>();
        for (Event event : later) {
            if (event.entry().key().startsWith(prefix)) {
                before.putIfAbsent(event.entry().key(), event.previous());
            }
        }
        return before;
    }

    private Page page(
            String prefix, String startAfter, int limit, Map<String, Optional<Entry>> undone, long atRevision) {
        boolean fromPrefix = KeyOrder.INSTANCE.compare(startAfter, prefix) < 0;
        String from = fromPrefix ? prefix : startAfter;
        NavigableMap<String, Entry> present = entries;
        if (!undone.isEmpty()) {
            present = new TreeMap<>(KeyOrder.INSTANCE);
            for (Entry entry : entries.tailMap(from, fromPrefix).values()) {
                if (!entry.key().startsWith(prefix)) {
                    break;
                }
                present.put(entry.key(), entry);
            }
            for (Map.Entry<String, Optional<Entry>> before : undone.entrySet()) {
                if (before.getValue().isPresent()) {
                    present.put(before.getKey(), before.getValue().get());
                } else {
                    present.remove(before.getKey());
                }
            }
        }
        List<Entry> page = new ArrayList<>();
        long remaining = 0;
        for (Entry entry : present.tailMap(from, fromPrefix).values()) {
            if (!entry.key().startsWith(prefix)) {
                break;
            }
            if (limit > 0 && page.size() == limit) {
                remaining++;
            } else {
                page.add(entry);
            }
        }
        return new Page(atRevision, page, remaining);
    }

    private <T> T reading(Supplier<T> read) {
        lock.readLock().lock();
        try {
            return read.get();
        } finally {
            lock.readLock().unlock();
        }
    }
}
