package io.atoll.apiserver.watch;

import io.atoll.model.GroupResource;
import io.atoll.store.CompactedException;
import io.atoll.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One cluster's objects in memory: fed by one watch of the store, read by every GET, LIST and WATCH and by controllers
 * in this process. A resource is loaded when it is first asked for.
 *
 * <p>Any thread. The store tells its watchers of a change before it answers the writer, so reads here are never behind
 * anything that a client can know of.
 */
public final class WatchCache implements AutoCloseable {
    private static final String ROOT = "/registry/";

    private final Store store;
    private final Object lock = new Object();
    /** By {@code group/resource}; guarded by the lock. */
    private final Map<String, ResourceCache> caches = new HashMap<>();

    private final Store.Subscription subscription;
    private volatile long seen;
    private volatile boolean closed;

    public WatchCache(Store store) {
        this.store = store;
        this.seen = store.revision();
        this.subscription = store.watch(ROOT, seen, new Store.WatchListener() {
            @Override
            public void onEvents(List<Store.Event> events) {
                apply(events);
            }

            @Override
            public void onClosed(String reason) {
                endAll();
            }
        });
    }

    /** Where a resource's objects lie in the store. */
    public static String prefix(GroupResource resource) {
        return ROOT + (resource.group().isEmpty() ? "core" : resource.group()) + "/" + resource.resource() + "/";
    }

    /** Where an object lies in the store. */
    public static String key(GroupResource resource, String namespace, String name) {
        return prefix(resource) + path(namespace, name);
    }

    public static String path(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** The latest revision that this cluster has come to. */
    public long revision() {
        return seen;
    }

    public Optional<CachedObject> get(GroupResource resource, String namespace, String name) {
        return loaded(resource).get(path(namespace, name));
    }

    /** All objects of a resource in a namespace; an empty namespace means all of them. */
    public Snapshot list(GroupResource resource, String namespace) {
        ResourceCache cache = loaded(resource);
        synchronized (lock) {
            return cache.snapshot(namespace, seen);
        }
    }

    /** Delivers the present objects of a namespace (empty: all), then every change of the resource in any namespace. */
    public Follower followFromNow(GroupResource resource, String namespace, ChangeListener listener) {
        ResourceCache cache = loaded(resource);
        synchronized (lock) {
            cache.followFromNow(listener, namespace, seen);
        }
        return new CacheFollower(cache, listener);
    }

    /**
     * Delivers every change of the resource after a revision.
     *
     * @throws CompactedException when changes after that revision have been forgotten
     */
    public Follower followAfter(GroupResource resource, long revision, ChangeListener listener) {
        ResourceCache cache = loaded(resource);
        synchronized (lock) {
            if (cache.covers(revision)) {
                cache.followAfter(listener, revision);
                return new CacheFollower(cache, listener);
            }
        }
        return new HistoryFollower(store, cache.prefix(), revision, listener);
    }

    @Override
    public void close() {
        subscription.close();
        endAll();
    }

    /** An open delivery. */
    public interface Follower extends AutoCloseable {
        /** Calls {@link ChangeListener#onProgress} after everything that has happened has been delivered. */
        void requestProgress();

        /** Blocks until what was known at the call has been delivered; at once within a delivery. */
        void awaitDelivery();

        @Override
        void close();
    }

    private void apply(List<Store.Event> events) {
        synchronized (lock) {
            for (Store.Event event : events) {
                ResourceCache cache = caches.get(resourceOf(event.entry().key()));
                if (cache != null) {
                    cache.apply(event);
                }
            }
            seen = events.getLast().revision();
        }
    }

    /** {@code group/resource} of {@code /registry/group/resource/...}. */
    private static String resourceOf(String key) {
        int group = key.indexOf('/', ROOT.length());
        int resource = key.indexOf('/', group + 1);
        return key.substring(ROOT.length(), resource);
    }

    private ResourceCache loaded(GroupResource resource) {
        String prefix = prefix(resource);
        ResourceCache cache;
        synchronized (lock) {
            cache = caches.computeIfAbsent(
                    prefix.substring(ROOT.length(), prefix.length() - 1), _ -> new ResourceCache(prefix));
        }
        if (!cache.ready()) {
            load(cache);
        }
        return cache;
    }

    /** One thread reads the present state while the store's thread keeps aside what happens meanwhile. */
    private void load(ResourceCache cache) {
        synchronized (cache) {
            if (cache.ready()) {
                return;
            }
            synchronized (lock) {
                cache.beginLoading();
            }
            Store.Page page = store.list(cache.prefix(), 0, "", 0);
            synchronized (lock) {
                cache.finishLoading(page);
            }
        }
    }

    private void endAll() {
        synchronized (lock) {
            if (!closed) {
                closed = true;
                caches.values().forEach(ResourceCache::close);
            }
        }
    }

    private final class CacheFollower implements Follower {
        private final ResourceCache cache;
        private @Nullable ChangeListener listener;

        CacheFollower(ResourceCache cache, ChangeListener listener) {
            this.cache = cache;
            this.listener = listener;
        }

        @Override
        public void requestProgress() {
            synchronized (lock) {
                if (listener != null) {
                    cache.progress(listener, seen);
                }
            }
        }

        @Override
        public void awaitDelivery() {
            Deliveries.await(cache::runInDelivery, cache.inDelivery());
        }

        @Override
        public void close() {
            synchronized (lock) {
                if (listener != null) {
                    cache.unfollow(listener);
                    listener = null;
                }
            }
        }
    }
}
