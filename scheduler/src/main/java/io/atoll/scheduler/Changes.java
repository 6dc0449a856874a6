package io.atoll.scheduler;

import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What has changed since the scheduler last looked: of each object the latest state, and what became of bindings.
 *
 * <p>Any thread adds, one takes. Bounded by the number of objects: an object that changes twice is held once.
 */
final class Changes implements AutoCloseable {
    /** The changes of one look; an empty state means the object is gone. */
    record Batch(
            Map<ObjectKey, Optional<StoredObject>> namespaces,
            Map<ObjectKey, Optional<StoredObject>> nodes,
            Map<ObjectKey, Optional<StoredObject>> pods,
            List<Binder.Outcome> outcomes,
            List<ObjectKey> retries) {
        Batch() {
            this(
                    new LinkedHashMap<>(),
                    new LinkedHashMap<>(),
                    new LinkedHashMap<>(),
                    new ArrayList<>(),
                    new ArrayList<>());
        }

        boolean isEmpty() {
            return namespaces.isEmpty() && nodes.isEmpty() && pods.isEmpty() && outcomes.isEmpty() && retries.isEmpty();
        }
    }

    private final Runnable onChange;
    private final List<ObjectCache.Subscription> subscriptions = new ArrayList<>();
    private Batch batch = new Batch();

    /** @param onChange called, outside the lock, after something has been added */
    Changes(Runnable onChange) {
        this.onChange = onChange;
    }

    /** Returns when everything that is there has been added. */
    void subscribe(ObjectCache cache) {
        subscribe(cache, BuiltInTypes.NAMESPACES);
        subscribe(cache, BuiltInTypes.NODES);
        subscribe(cache, BuiltInTypes.PODS);
    }

    private void subscribe(ObjectCache cache, ResourceType type) {
        subscriptions.add(cache.subscribe(type, (before, after) -> {
            StoredObject either = after != null ? after : before;
            if (either != null) {
                add(type, ObjectKey.of(either), Optional.ofNullable(after));
            }
        }));
    }

    private void add(ResourceType type, ObjectKey key, Optional<StoredObject> latest) {
        synchronized (this) {
            switch (type.resource()) {
                case "namespaces" -> batch.namespaces.put(key, latest);
                case "nodes" -> batch.nodes.put(key, latest);
                default -> batch.pods.put(key, latest);
            }
        }
        onChange.run();
    }

    void add(Binder.Outcome outcome) {
        synchronized (this) {
            batch.outcomes.add(outcome);
        }
        onChange.run();
    }

    /** A pod's backoff is over. */
    void addRetry(ObjectKey pod) {
        synchronized (this) {
            batch.retries.add(pod);
        }
        onChange.run();
    }

    synchronized Batch take() {
        Batch taken = batch;
        batch = new Batch();
        return taken;
    }

    synchronized boolean isEmpty() {
        return batch.isEmpty();
    }

    @Override
    public void close() {
        subscriptions.forEach(ObjectCache.Subscription::close);
    }
}
