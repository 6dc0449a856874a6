package io.atoll.store.sqlite;

import io.atoll.store.Store.Change;
import io.atoll.store.Store.CommitResult;
import io.atoll.store.Store.Entry;
import io.atoll.store.Store.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides the changes of one batch against the current state and against each other, and mutates neither.
 *
 * <p>Lives on the writer for one batch.
 */
final class Decision {
    private final CurrentState state;
    private final Map<String, Optional<Entry>> overlay = new HashMap<>();
    private final List<Event> events = new ArrayList<>();
    private long revision;

    Decision(CurrentState state) {
        this.state = state;
        this.revision = state.revision();
    }

    /** The events to append, at consecutive revisions. */
    List<Event> events() {
        return events;
    }

    /** Accepts all the changes or none. */
    List<CommitResult> decide(List<Change> changes) {
        int eventsBefore = events.size();
        Map<String, Optional<Entry>> replaced = new HashMap<>();
        List<CommitResult> results = new ArrayList<>(changes.size());
        for (Change change : changes) {
            Optional<Entry> current = current(change.key());
            Optional<Event> event = decide(change, current);
            if (event.isEmpty()) {
                undo(eventsBefore, replaced);
                return refused(changes.size(), results.size(), current(change.key()));
            }
            replaced.putIfAbsent(change.key(), current);
            accept(event.get());
            results.add(new CommitResult.Committed(event.get().entry()));
        }
        return results;
    }

    private Optional<Event> decide(Change change, Optional<Entry> current) {
        long next = revision + 1;
        return switch (change) {
            case Change.Create(String key, byte[] value) ->
                current.isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                new Event(Event.Type.CREATED, new Entry(key, value, next, next), Optional.empty()));
            case Change.Update(String key, byte[] value, long expected) ->
                current.filter(entry -> entry.modRevision() == expected)
                        .map(entry -> new Event(
                                Event.Type.UPDATED, new Entry(key, value, entry.createRevision(), next), current));
            case Change.Delete(String key, long expected) ->
                current.filter(entry -> entry.modRevision() == expected)
                        .map(entry -> new Event(
                                Event.Type.DELETED,
                                new Entry(key, entry.value(), entry.createRevision(), next),
                                current));
        };
    }

    private Optional<Entry> current(String key) {
        Optional<Entry> pending = overlay.get(key);
        return pending != null ? pending : state.get(key);
    }

    private void accept(Event event) {
        revision = event.revision();
        events.add(event);
        boolean deleted = event.type() == Event.Type.DELETED;
        overlay.put(event.entry().key(), deleted ? Optional.empty() : Optional.of(event.entry()));
    }

    private void undo(int eventsBefore, Map<String, Optional<Entry>> replaced) {
        revision -= events.size() - eventsBefore;
        events.subList(eventsBefore, events.size()).clear();
        overlay.putAll(replaced);
    }

    private static List<CommitResult> refused(int count, int conflictAt, Optional<Entry> current) {
        List<CommitResult> results = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            results.add(i == conflictAt ? new CommitResult.Conflict(current) : new CommitResult.Aborted());
        }
        return results;
    }
}
