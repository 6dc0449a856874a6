package io.atoll.apiserver.watch;

import io.atoll.store.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows a resource from so far back that only the store remembers. */
final class HistoryFollower implements WatchCache.Follower, Store.WatchListener {
    private final String prefix;
    private final ChangeListener listener;
    private final SerialQueue delivery = new SerialQueue();
    private volatile boolean closed;
    /** The latest revision handed on; touched by delivery tasks only, once open. */
    private long delivered;

    private Store.@Nullable Subscription subscription;

    HistoryFollower(Store store, String prefix, long afterRevision, ChangeListener listener) {
        this.prefix = prefix;
        this.listener = listener;
        this.delivered = afterRevision;
        subscription = store.watch(prefix, afterRevision, this);
    }

    @Override
    public void onEvents(List<Store.Event> events) {
        delivery.add(() -> {
            for (Store.Event event : events) {
                if (!closed) {
                    listener.onChange(change(event));
                    delivered = event.revision();
                }
            }
        });
    }

    @Override
    public void onClosed(String reason) {
        delivery.add(() -> {
            if (!closed) {
                listener.onClosed();
            }
        });
    }

    @Override
    public void requestProgress() {
        delivery.add(() -> {
            if (!closed) {
                listener.onProgress(delivered);
            }
        });
    }

    @Override
    public void awaitDelivery() {
        Deliveries.await(delivery::add, delivery.inTask());
    }

    @Override
    public void close() {
        closed = true;
        Store.Subscription open = subscription;
        if (open != null) {
            open.close();
        }
    }

    private Change change(Store.Event event) {
        CachedObject object = object(event.entry());
        return switch (event.type()) {
            case CREATED -> new Change(Change.Type.ADDED, object, null);
            case UPDATED ->
                new Change(
                        Change.Type.MODIFIED,
                        object,
                        event.previous().map(this::object).orElse(null));
            case DELETED ->
                new Change(
                        Change.Type.DELETED,
                        object,
                        event.previous().map(this::object).orElse(null));
        };
    }

    private CachedObject object(Store.Entry entry) {
        return CachedObject.of(entry.key().substring(prefix.length()), entry.value(), entry.modRevision());
    }
}
