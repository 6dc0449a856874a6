package io.atoll.controllers;

import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.ResourceType;
import io.atoll.reconcile.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one type by the controller that owns them. Any thread; guarded by the instance's lock.
 *
 * <p>Holds names only. Its listeners hear of a change after the index shows it, which is what makes
 * {@link Expectations} safe: whoever has seen an addition also finds the object here.
 */
final class OwnedObjects implements AutoCloseable {
    private final ObjectCache cache;
    private final ResourceType type;
    private final Map<String, Set<ObjectKey>> byOwner = new HashMap<>();
    private final Map<String, Set<ObjectKey>> orphans = new HashMap<>();
    private final List<ObjectCache.Listener> listeners = new CopyOnWriteArrayList<>();
    private ObjectCache.@Nullable Subscription subscription;

    OwnedObjects(ObjectCache cache, ResourceType type) {
        this.cache = cache;
        this.type = type;
    }

    /** Only before {@link #start}. */
    void subscribe(ObjectCache.Listener listener) {
        listeners.add(listener);
    }

    /** Starts to follow the cache, when anyone listens. */
    void start() {
        if (!listeners.isEmpty() && subscription == null) {
            subscription = cache.subscribe(type, this::onChange);
        }
    }

    List<StoredObject> ownedBy(String ownerUid) {
        return read(keys(byOwner, ownerUid));
    }

    /** Objects of a namespace that no controller owns. */
    List<StoredObject> orphans(String namespace) {
        return read(keys(orphans, namespace));
    }

    @Override
    public void close() {
        if (subscription != null) {
            subscription.close();
        }
    }

    private synchronized List<ObjectKey> keys(Map<String, Set<ObjectKey>> index, String key) {
        return List.copyOf(index.getOrDefault(key, Set.of()));
    }

    private List<StoredObject> read(List<ObjectKey> keys) {
        List<StoredObject> objects = new ArrayList<>(keys.size());
        for (ObjectKey key : keys) {
            cache.get(type, key.namespace(), key.name()).ifPresent(objects::add);
        }
        return objects;
    }

    private void onChange(@Nullable StoredObject before, @Nullable StoredObject after) {
        synchronized (this) {
            if (before != null) {
                change(before, false);
            }
            if (after != null) {
                change(after, true);
            }
        }
        for (ObjectCache.Listener listener : listeners) {
            listener.onChange(before, after);
        }
    }

    private void change(StoredObject object, boolean present) {
        String owner = object.metadata().controller().map(OwnerReference::uid).orElse("");
        Map<String, Set<ObjectKey>> index = owner.isEmpty() ? orphans : byOwner;
        String key = owner.isEmpty() ? object.namespace() : owner;
        if (present) {
            index.computeIfAbsent(key, _ -> new LinkedHashSet<>(2)).add(ObjectKey.of(object));
            return;
        }
        Set<ObjectKey> keys = index.get(key);
        if (keys != null && keys.remove(ObjectKey.of(object)) && keys.isEmpty()) {
            index.remove(key);
        }
    }
}
