package io.atoll.syncer;

import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ResourceType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * One view of the host for the syncers of many tenants: a change goes only to those whose host namespace it is in, and a
 * syncer that starts sees only its own namespace. A thousand tenants on one cache would each be called for every pod
 * of all. Any thread.
 *
 * <p>A listener may see an object twice, and the addition of one that has just gone: it is to go by the present state.
 */
public final class HostFeed implements AutoCloseable {
    private final ObjectCache host;
    private final Map<ResourceType, Topic> topics = new HashMap<>();

    public HostFeed(ObjectCache host) {
        this.host = host;
    }

    /** The host as the tenants of one namespace see it: reads are of everything, changes of this namespace and none. */
    public ObjectCache of(String namespace) {
        return new View(namespace);
    }

    private synchronized Topic topic(ResourceType type) {
        return topics.computeIfAbsent(type, _ -> new Topic(host, type));
    }

    @Override
    public synchronized void close() {
        topics.values().forEach(topic -> topic.subscription.close());
        topics.clear();
    }

    /** The listeners of one type by namespace. */
    private static final class Topic {
        private final Map<String, List<ObjectCache.Listener>> listeners = new ConcurrentHashMap<>();
        private final ObjectCache.Subscription subscription;

        Topic(ObjectCache host, ResourceType type) {
            subscription = host.subscribe(type, this::dispatch);
        }

        private void dispatch(@Nullable StoredObject before, @Nullable StoredObject after) {
            StoredObject object = after == null ? before : after;
            if (object != null && !listeners.isEmpty()) {
                for (ObjectCache.Listener listener : listeners.getOrDefault(object.namespace(), List.of())) {
                    listener.onChange(before, after);
                }
            }
        }
    }

    /** One namespace's view. */
    private final class View implements ObjectCache {
        private final String namespace;

        View(String namespace) {
            this.namespace = namespace;
        }

        @Override
        public Optional<StoredObject> get(ResourceType type, String inNamespace, String name) {
            return host.get(type, inNamespace, name);
        }

        @Override
        public List<StoredObject> list(ResourceType type, String inNamespace) {
            return host.list(type, inNamespace);
        }

        @Override
        public Subscription subscribe(ResourceType type, Listener listener) {
            String key = type.namespaced() ? namespace : "";
            Topic topic = topic(type);
            topic.listeners
                    .computeIfAbsent(key, _ -> new CopyOnWriteArrayList<>())
                    .add(listener);
            for (StoredObject object : host.list(type, key)) {
                listener.onChange(null, object);
            }
            return () -> topic.listeners.computeIfPresent(key, (_, present) -> {
                present.remove(listener);
                return present.isEmpty() ? null : present;
            });
        }

        /** The feed is its owner's to close. */
        @Override
        public void close() {}
    }
}
