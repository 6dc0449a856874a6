package io.atoll.store.sqlite;

import io.atoll.store.Store.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest events, at consecutive revisions, within a bound of events and of bytes; the oldest give way.
 *
 * <p>Not thread-safe; the owner's lock guards it. Grows as it fills, so that an idle store holds next to nothing.
 */
final class EventRing {
    private static final int SIZE_INITIAL = 16;

    private final int eventsMax;
    private final long bytesMax;
    private @Nullable Event[] events;
    private int head;
    private int size;
    private long bytes;

    EventRing(int eventsMax, long bytesMax) {
        this.eventsMax = eventsMax;
        this.bytesMax = bytesMax;
        this.events = new Event[Math.min(SIZE_INITIAL, eventsMax)];
    }

    void add(Event event) {
        if (size == eventsMax) {
            dropOldest();
        }
        if (size == events.length) {
            grow();
        }
        events[(head + size) % events.length] = event;
        size++;
        bytes += bytesOf(event);
        while (bytes > bytesMax && size > 1) {
            dropOldest();
        }
    }

    /** Whether every event after a revision is here. */
    boolean covers(long afterRevision, long latestRevision) {
        return afterRevision >= latestRevision - size;
    }

    /** The events after a revision that the ring covers, oldest first, at most {@code limit}. */
    List<Event> after(long afterRevision, long latestRevision, int limit) {
        int count = (int) (latestRevision - afterRevision);
        List<Event> result = new ArrayList<>(Math.min(count, limit));
        for (int i = size - count; i < size && result.size() < limit; i++) {
            result.add(at(i));
        }
        return result;
    }

    private Event at(int index) {
        Event event = events[(head + index) % events.length];
        if (event == null) {
            throw new AssertionError("no event at " + index + " of " + size);
        }
        return event;
    }

    private void dropOldest() {
        bytes -= bytesOf(at(0));
        events[head] = null;
        head = (head + 1) % events.length;
        size--;
    }

    private void grow() {
        @Nullable Event[] larger = new Event[Math.min(events.length * 2, eventsMax)];
        for (int i = 0; i < size; i++) {
            larger[i] = at(i);
        }
        Arrays.fill(events, null);
        events = larger;
        head = 0;
    }

    private static long bytesOf(Event event) {
        long previous = event.previous().map(entry -> entry.value().length).orElse(0);
        return event.entry().value().length + previous;
    }
}
