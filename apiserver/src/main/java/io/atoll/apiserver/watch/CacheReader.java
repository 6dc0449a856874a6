package io.atoll.apiserver.watch;

import io.atoll.apiserver.ObjectReader;
import io.atoll.model.GroupResource;
import java.util.List;
import java.util.Optional;

/** The watch cache as code in this process reads it. Any thread. */
public final class CacheReader implements ObjectReader {
    private final WatchCache cache;

    public CacheReader(WatchCache cache) {
        this.cache = cache;
    }

    @Override
    public Optional<byte[]> get(GroupResource resource, String namespace, String name) {
        return cache.get(resource, namespace, name).map(CachedObject::json);
    }

    @Override
    public List<byte[]> list(GroupResource resource, String namespace) {
        return cache.list(resource, namespace).objects().stream()
                .map(CachedObject::json)
                .toList();
    }

    @Override
    public Registration subscribe(GroupResource resource, Listener listener) {
        WatchCache.Follower follower = cache.followFromNow(resource, "", new ChangeListener() {
            @Override
            public void onPresent(Snapshot present) {
                present.objects().forEach(object -> listener.onAdded(object.json()));
            }

            @Override
            public void onChange(Change change) {
                CachedObject before = change.before();
                byte[] json = change.object().json();
                switch (change.type()) {
                    case ADDED -> listener.onAdded(json);
                    case MODIFIED -> listener.onUpdated(before == null ? json : before.json(), json);
                    case DELETED -> listener.onDeleted(json);
                }
            }

            @Override
            public void onProgress(long revision) {}

            @Override
            public void onClosed() {}
        });
        follower.awaitDelivery();
        return follower::close;
    }
}
