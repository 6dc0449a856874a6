package io.atoll.apiserver.watch;

import io.atoll.store.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one resource, their latest changes, and who follows them.
 *
 * <p>Changed under the cluster's lock only ({@link WatchCache}); single gets need no lock. Listeners are called from the
 * delivery queue, which is filled under the same lock and thus keeps the order of revisions.
 */
final class ResourceCache {
    /** Older changes are read from the store again when a watch asks for them. */
    static final int RECENT_CHANGES_MAX = 256;

    private final String prefix;
    private final ConcurrentSkipListMap<String, CachedObject> objects = new ConcurrentSkipListMap<>();
    private final ArrayDeque<Change> recent = new ArrayDeque<>(4);
    private final SerialQueue delivery = new SerialQueue();
    /** Touched by delivery tasks only. */
    private final List<ChangeListener> listeners = new ArrayList<>(2);

    private volatile boolean ready;
    /** Events that came while the present state was being read; null before and after. */
    private @Nullable List<Store.Event> whileLoading;

    private long loadedRevision;
    /** Changes after this revision are all in {@link #recent}. */
    private long recentAfter;

    ResourceCache(String prefix) {
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }

    boolean ready() {
        return ready;
    }

    Optional<CachedObject> get(String path) {
        return Optional.ofNullable(objects.get(path));
    }

    // ---- under the cluster's lock from here on

    void beginLoading() {
        whileLoading = new ArrayList<>();
    }

    void finishLoading(Store.Page page) {
        for (Store.Entry entry : page.entries()) {
            CachedObject object = object(entry);
            objects.put(object.path(), object);
        }
        loadedRevision = page.revision();
        recentAfter = page.revision();
        List<Store.Event> missed = whileLoading;
        whileLoading = null;
        ready = true;
        if (missed != null) {
            missed.forEach(this::apply);
        }
    }

    void apply(Store.Event event) {
        if (whileLoading != null) {
            whileLoading.add(event);
            return;
        }
        if (!ready || event.revision() <= loadedRevision) {
            return;
        }
        Change change = change(event);
        if (change.type() == Change.Type.DELETED) {
            objects.remove(change.object().path());
        } else {
            objects.put(change.object().path(), change.object());
        }
        if (recent.size() == RECENT_CHANGES_MAX) {
            recentAfter = recent.removeFirst().revision();
        }
        recent.addLast(change);
        delivery.add(() -> deliver(change));
    }

    long revision(long seen) {
        return Math.max(seen, loadedRevision);
    }

    Snapshot snapshot(String namespace, long seen) {
        List<CachedObject> found = new ArrayList<>(
                namespace.isEmpty()
                        ? objects.values()
                        : objects.subMap(namespace + "/", namespace + "0").values());
        return new Snapshot(revision(seen), found);
    }

    boolean covers(long afterRevision) {
        return afterRevision >= recentAfter;
    }

    /** Starts a listener with the present state and then with what follows it. */
    void followFromNow(ChangeListener listener, String namespace, long seen) {
        Snapshot present = snapshot(namespace, seen);
        delivery.add(() -> {
            listener.onPresent(present);
            listeners.add(listener);
        });
    }

    /** Starts a listener with all changes after a revision that {@link #covers}. */
    void followAfter(ChangeListener listener, long afterRevision) {
        List<Change> backlog = new ArrayList<>();
        for (Change change : recent) {
            if (change.revision() > afterRevision) {
                backlog.add(change);
            }
        }
        delivery.add(() -> {
            backlog.forEach(listener::onChange);
            listeners.add(listener);
        });
    }

    void progress(ChangeListener listener, long seen) {
        long revision = revision(seen);
        delivery.add(() -> listener.onProgress(revision));
    }

    void unfollow(ChangeListener listener) {
        delivery.add(() -> listeners.remove(listener));
    }

    void runInDelivery(Runnable task) {
        delivery.add(task);
    }

    boolean inDelivery() {
        return delivery.inTask();
    }

    void close() {
        delivery.add(() -> {
            List.copyOf(listeners).forEach(ChangeListener::onClosed);
            listeners.clear();
        });
    }

    Change change(Store.Event event) {
        CachedObject object = object(event.entry());
        CachedObject before = objects.get(object.path());
        if (before == null || !isPrevious(before, event)) {
            before = event.previous().map(this::object).orElse(null);
        }
        return switch (event.type()) {
            case CREATED -> new Change(Change.Type.ADDED, object, null);
            case UPDATED -> new Change(Change.Type.MODIFIED, object, before);
            case DELETED -> new Change(Change.Type.DELETED, object, before);
        };
    }

    private static boolean isPrevious(CachedObject object, Store.Event event) {
        return event.previous().isEmpty() || event.previous().get().modRevision() == object.revision();
    }

    private CachedObject object(Store.Entry entry) {
        return CachedObject.of(entry.key().substring(prefix.length()), entry.value(), entry.modRevision());
    }

    private void deliver(Change change) {
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).onChange(change);
        }
        change.forgetEncoding();
    }
}
