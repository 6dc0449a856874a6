package io.atoll.store;

import io.atoll.store.Store.Event;
import io.atoll.store.Store.WatchListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Keeps what a watch delivered, and waits for it. */
public final class RecordingListener implements WatchListener {
    private static final long DEADLINE_SECONDS = 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Event> events = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();

    @Override
    public void onEvents(List<Event> delivered) {
        lock.lock();
        try {
            events.addAll(delivered);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onClosed(String reason) {
        lock.lock();
        try {
            closed.add(reason);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public List<Event> awaitEvents(int count) {
        return await(listener -> listener.events.size() >= count).events();
    }

    public List<String> awaitClosed() {
        await(listener -> !listener.closed.isEmpty());
        return closed;
    }

    public List<Event> events() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    private RecordingListener await(Predicate<RecordingListener> condition) {
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
            while (!condition.test(this)) {
                if (nanos <= 0) {
                    throw new AssertionError("waited too long; have " + events.size() + " events, closed " + closed);
                }
                nanos = changed.awaitNanos(nanos);
            }
            return this;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            lock.unlock();
        }
    }
}
