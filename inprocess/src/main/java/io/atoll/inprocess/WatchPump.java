package io.atoll.inprocess;

import io.atoll.apiserver.ApiResponse;
import io.atoll.client.Transport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Carries the events of one watch from the server's threads to a client's sink, on a virtual thread that exists only
 * while there are events. Everything mutable is guarded by the instance's lock.
 */
final class WatchPump implements ApiResponse.WatchSink, Transport.Stream {
    /** A reader that is further behind loses its watch, as over HTTP, and reconnects. */
    private static final int BUFFER_EVENTS_MAX = 10_000;

    private final Transport.WatchSink sink;
    private final Queue<byte[]> events = new ArrayDeque<>();
    private final List<Runnable> closeActions = new ArrayList<>();
    /** Events of the initial state, which do not count against the reader. */
    private int allowed;

    private boolean pumping;
    private boolean ended;
    private boolean closed;

    WatchPump(Transport.WatchSink sink) {
        this.sink = sink;
    }

    @Override
    public boolean offer(byte[] event) {
        synchronized (this) {
            if (closed || ended) {
                return false;
            }
            if (events.size() < BUFFER_EVENTS_MAX + allowed) {
                events.add(event);
                wake();
                return true;
            }
        }
        end();
        return false;
    }

    /** The state that a watch starts with has no bound, as a list has none. */
    @Override
    public synchronized boolean offerAll(List<byte[]> initial) {
        if (closed || ended) {
            return false;
        }
        allowed += initial.size();
        events.addAll(initial);
        wake();
        return true;
    }

    @Override
    public void end() {
        synchronized (this) {
            if (ended || closed) {
                return;
            }
            ended = true;
            wake();
        }
        runCloseActions();
    }

    @Override
    public void onClose(Runnable action) {
        synchronized (this) {
            if (!closed && !ended) {
                closeActions.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            events.clear();
        }
        runCloseActions();
    }

    private void wake() {
        if (!pumping) {
            pumping = true;
            Thread.startVirtualThread(this::pump);
        }
    }

    private void pump() {
        while (true) {
            byte[] event;
            synchronized (this) {
                event = events.poll();
                if (event == null && (closed || !ended)) {
                    pumping = false;
                    return;
                }
                if (event == null) {
                    closed = true;
                }
            }
            if (event == null) {
                sink.onEnd();
                return;
            }
            sink.onEvent(event);
        }
    }

    private void runCloseActions() {
        List<Runnable> actions;
        synchronized (this) {
            actions = List.copyOf(closeActions);
            closeActions.clear();
        }
        actions.forEach(Runnable::run);
    }
}
