package io.atoll.store.sqlite;

import io.atoll.store.Store.Event;
import io.atoll.store.Store.Subscription;
import io.atoll.store.Store.WatchListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** The open watches of a store that have caught up. Confined to the store's writer. */
final class Watchers {
    private static final Logger LOGGER = System.getLogger(Watchers.class.getName());

    private final List<Watcher> live = new ArrayList<>();

    void add(Watcher watcher) {
        live.add(watcher);
    }

    void deliver(List<Event> events) {
        for (Watcher watcher : live) {
            watcher.deliver(events);
        }
        removeEnded();
    }

    void removeEnded() {
        live.removeIf(watcher -> watcher.ended);
    }

    void close(String reason) {
        for (Watcher watcher : live) {
            watcher.end(reason);
        }
        live.clear();
    }

    /** One watch. Any thread may close it; no event follows the end of a close that ran on the writer. */
    static final class Watcher implements Subscription {
        private final String prefix;
        private final WatchListener listener;
        private volatile boolean ended;

        Watcher(String prefix, WatchListener listener) {
            this.prefix = prefix;
            this.listener = listener;
        }

        boolean ended() {
            return ended;
        }

        void deliver(List<Event> events) {
            if (ended) {
                return;
            }
            List<Event> wanted = events.stream()
                    .filter(event -> event.entry().key().startsWith(prefix))
                    .toList();
            if (wanted.isEmpty()) {
                return;
            }
            try {
                listener.onEvents(wanted);
            } catch (RuntimeException e) {
                // a listener's bug ends its own watch: it has missed events, the store has not
                LOGGER.log(Level.ERROR, "a watch of " + prefix + " failed", e);
                end("the listener failed: " + e);
            }
        }

        void end(String reason) {
            if (!ended) {
                ended = true;
                listener.onClosed(reason);
            }
        }

        @Override
        public void close() {
            ended = true;
        }
    }
}
