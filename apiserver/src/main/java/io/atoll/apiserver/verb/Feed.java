package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse.WatchBody;
import io.atoll.apiserver.ApiResponse.WatchSink;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.apiserver.watch.Change;
import io.atoll.apiserver.watch.ChangeListener;
import io.atoll.apiserver.watch.EventEncoder;
import io.atoll.apiserver.watch.Snapshot;
import io.atoll.apiserver.watch.WatchCache.Follower;
import io.atoll.base.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One open watch: picks the changes that its client selected and pushes their bytes. Changes come on the cache's
 * delivery thread; those that come before the connection is ready wait. Guarded by itself.
 */
final class Feed implements ChangeListener, WatchBody {
    private static final Duration BOOKMARK_INTERVAL = Duration.ofSeconds(55);
    /** Changes that wait for a connection that never comes; then the watch ends. */
    private static final int EARLY_EVENTS_MAX = 10_000;

    /** What the client gets first. */
    enum Start {
        PRESENT,
        PRESENT_THEN_BOOKMARK,
        CHANGES
    }

    private final Selection selection;
    private final EventEncoder encoder;
    private final Start start;
    private final boolean bookmarks;
    private final Timers timers;
    private final Duration timeout;

    private @Nullable List<Runnable> early = new ArrayList<>(1);
    private @Nullable WatchSink sink;
    private @Nullable Follower follower;
    private Timers.@Nullable Pending bookmark;
    private Timers.@Nullable Pending end;
    private boolean closed;

    Feed(Selection selection, EventEncoder encoder, Start start, boolean bookmarks, Timers timers, Duration timeout) {
        this.selection = selection;
        this.encoder = encoder;
        this.start = start;
        this.bookmarks = bookmarks;
        this.timers = timers;
        this.timeout = timeout;
    }

    synchronized void follow(Follower opened) {
        follower = opened;
        if (closed) {
            opened.close();
        }
    }

    @Override
    public void start(WatchSink connection) {
        synchronized (this) {
            sink = connection;
            List<Runnable> waiting = early;
            early = null;
            if (waiting != null) {
                waiting.forEach(Runnable::run);
            }
            if (closed) {
                connection.end();
                return;
            }
            end = timers.after(timeout, this::finish);
            if (bookmarks) {
                bookmark = timers.after(BOOKMARK_INTERVAL, this::askForBookmark);
            }
        }
        connection.onClose(this::close);
    }

    @Override
    public synchronized void onPresent(Snapshot present) {
        whenConnected(() -> {
            List<byte[]> events = new ArrayList<>();
            for (CachedObject object : present.objects()) {
                if (selection.matches(object)) {
                    events.add(encoder.event(Change.Type.ADDED.name(), object));
                }
            }
            if (start == Start.PRESENT_THEN_BOOKMARK && bookmarks) {
                events.add(encoder.bookmark(present.revision(), true));
            }
            WatchSink connection = sink;
            if (!closed && connection != null && !events.isEmpty() && !connection.offerAll(events)) {
                close();
            }
        });
    }

    @Override
    public synchronized void onChange(Change change) {
        if (closed) {
            return;
        }
        CachedObject object = change.object();
        CachedObject before = change.before();
        boolean was = before != null && selection.matches(before);
        boolean is = change.type() != Change.Type.DELETED && selection.matches(object);
        byte[] event;
        boolean asItIs = switch (change.type()) {
            case ADDED -> is;
            case MODIFIED -> was && is;
            case DELETED -> was;
        };
        if (asItIs) {
            event = change.encoded(encoder);
        } else if (is) {
            event = encoder.event(Change.Type.ADDED.name(), object);
        } else if (was && before != null) {
            event = encoder.event(Change.Type.DELETED.name(), before.at(object.revision()));
        } else {
            return;
        }
        whenConnected(() -> offer(event));
    }

    @Override
    public synchronized void onProgress(long revision) {
        whenConnected(() -> offer(encoder.bookmark(revision, false)));
    }

    @Override
    public void onClosed() {
        finish();
    }

    private void whenConnected(Runnable action) {
        if (closed) {
            return;
        }
        if (early == null) {
            action.run();
        } else if (early.size() < EARLY_EVENTS_MAX) {
            early.add(action);
        } else {
            close();
        }
    }

    private void offer(byte[] event) {
        WatchSink connection = sink;
        if (!closed && connection != null && !connection.offer(event)) {
            close();
        }
    }

    private synchronized void askForBookmark() {
        if (!closed && follower != null) {
            follower.requestProgress();
            bookmark = timers.after(BOOKMARK_INTERVAL, this::askForBookmark);
        }
    }

    private void finish() {
        WatchSink connection;
        synchronized (this) {
            connection = sink;
            close();
        }
        if (connection != null) {
            connection.end();
        }
    }

    private synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        early = null;
        if (follower != null) {
            follower.close();
        }
        if (bookmark != null) {
            bookmark.cancel();
        }
        if (end != null) {
            end.cancel();
        }
    }
}
