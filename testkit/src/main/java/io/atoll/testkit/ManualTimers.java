package io.atoll.testkit;

import io.atoll.base.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Time that a test moves. Actions run on the thread that moves it, in the order they are due. */
public final class ManualTimers implements Timers {
    private final List<Entry> entries = new ArrayList<>();
    private Instant now;

    public ManualTimers(Instant start) {
        now = start;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public synchronized Pending after(Duration delay, Runnable action) {
        Entry entry = new Entry(now.plus(delay), action);
        entries.add(entry);
        return () -> cancel(entry);
    }

    /** Moves time and runs what is due by then, with the time it was due. */
    public void advance(Duration duration) {
        Instant end = instant().plus(duration);
        while (true) {
            Entry next = takeDue(end);
            if (next == null) {
                return;
            }
            next.action.run();
        }
    }

    /** Actions that wait for their time. */
    public synchronized int pending() {
        return entries.size();
    }

    private synchronized @org.jspecify.annotations.Nullable Entry takeDue(Instant end) {
        Entry next = entries.stream()
                .min(Comparator.comparing(Entry::due))
                .filter(entry -> !entry.due.isAfter(end))
                .orElse(null);
        if (next == null) {
            now = end;
            return null;
        }
        entries.remove(next);
        now = next.due.isAfter(now) ? next.due : now;
        return next;
    }

    private synchronized void cancel(Entry entry) {
        entries.remove(entry);
    }

    private record Entry(Instant due, Runnable action) {}
}
