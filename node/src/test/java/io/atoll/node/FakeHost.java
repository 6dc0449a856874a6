package io.atoll.node;

import io.atoll.client.Client;
import io.atoll.client.EncodedObject;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.client.Transport;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.StatusReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A host's API in memory: enough of it for a node, with a wait for what a test expects. Any thread. */
public final class FakeHost implements Client {
    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final Map<String, List<ObjectCache.Listener>> listeners = new TreeMap<>();
    private long revision = 1;
    private int statusWrites;

    /** Waits until an object is as expected; the deadline only ends a test that has failed. */
    public ObjectNode await(ResourceType type, String namespace, String name, Predicate<ObjectNode> expected) {
        Instant deadline = Instant.now().plusSeconds(30);
        synchronized (this) {
            while (true) {
                ObjectNode object = objects.get(key(type, namespace, name));
                if (expected.test(object == null ? Json.object() : object)) {
                    return object == null ? Json.object() : object.deepCopy();
                }
                long left = Duration.between(Instant.now(), deadline).toMillis();
                if (left <= 0) {
                    throw new AssertionError(
                            new TimeoutException("still not as expected: " + (object == null ? "gone" : object)));
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    public synchronized int statusWrites() {
        return statusWrites;
    }

    public synchronized List<ObjectNode> all(ResourceType type) {
        List<ObjectNode> found = new ArrayList<>();
        objects.forEach((key, object) -> {
            if (key.startsWith(type.resource() + "/")) {
                found.add(object.deepCopy());
            }
        });
        return found;
    }

    @Override
    public ObjectNode get(ResourceType type, String namespace, String name) {
        return find(type, namespace, name).orElseThrow(() -> ApiException.notFound(type.groupResource(), name));
    }

    @Override
    public synchronized Optional<ObjectNode> find(ResourceType type, String namespace, String name) {
        return Optional.ofNullable(objects.get(key(type, namespace, name))).map(ObjectNode::deepCopy);
    }

    @Override
    public synchronized ObjectNode list(ResourceType type, String namespace, ListOptions options) {
        ObjectNode list = Json.object();
        ArrayNode items = list.putArray("items");
        all(type).forEach(items::add);
        return list;
    }

    @Override
    public ObjectNode create(ResourceType type, String namespace, ObjectNode object) {
        ObjectNode stored = object.deepCopy();
        ObjectNode metadata = Json.child(stored, "metadata");
        String name = metadata.path("name").asString("");
        if (find(type, namespace, name).isPresent()) {
            throw ApiException.alreadyExists(type.groupResource(), name);
        }
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        if (metadata.path("uid").asString("").isEmpty()) {
            metadata.put("uid", UUID.randomUUID().toString());
        }
        metadata.put("creationTimestamp", Instant.now().toString());
        return put(type, namespace, name, stored);
    }

    @Override
    public ObjectNode update(ResourceType type, ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        return put(
                type,
                metadata.path("namespace").asString(""),
                metadata.path("name").asString(""),
                object);
    }

    @Override
    public ObjectNode updateStatus(ResourceType type, ObjectNode object) {
        return update(type, object);
    }

    @Override
    public ObjectNode patch(
            ResourceType type, String namespace, String name, String subresource, PatchType patchType, JsonNode patch) {
        synchronized (this) {
            ObjectNode object = get(type, namespace, name);
            String uid = patch.path("metadata").path("uid").asString("");
            if (!uid.isEmpty()
                    && !uid.equals(object.path("metadata").path("uid").asString(""))) {
                throw ApiException.conflict(type.groupResource(), name, "the UID differs");
            }
            merge(object, (ObjectNode) patch);
            if (subresource.equals("status")) {
                statusWrites++;
            }
            return put(type, namespace, name, object);
        }
    }

    /** A merge patch that merges conditions and addresses by type, as a strategic one does. */
    private static void merge(ObjectNode into, ObjectNode patch) {
        patch.properties().forEach(field -> {
            JsonNode value = field.getValue();
            JsonNode present = into.path(field.getKey());
            if (value.isNull()) {
                into.remove(field.getKey());
            } else if (value instanceof ObjectNode nested && present instanceof ObjectNode target) {
                merge(target, nested);
            } else if (field.getKey().equals("conditions") && present instanceof ArrayNode array) {
                for (JsonNode condition : value) {
                    for (int i = array.size() - 1; i >= 0; i--) {
                        if (array.get(i).path("type").equals(condition.path("type"))) {
                            array.remove(i);
                        }
                    }
                    array.add(condition);
                }
            } else {
                into.set(field.getKey(), value.deepCopy());
            }
        });
    }

    @Override
    public ObjectNode apply(ResourceType type, String namespace, String name, String fieldManager, ObjectNode object) {
        return put(type, namespace, name, object);
    }

    @Override
    public ObjectNode createSubresource(
            ResourceType type, String namespace, String name, String subresource, ObjectNode body) {
        if (subresource.equals("token")) {
            ObjectNode answer = body.deepCopy();
            answer.putObject("status").put("token", "token-of-" + name);
            return answer;
        }
        throw new ApiException(StatusReason.NotFound, subresource);
    }

    /** Deletes at once with a grace period of zero; else marks the object, as the API server does for bound pods. */
    @Override
    public void delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        ObjectNode object = get(type, namespace, name);
        JsonNode uid = object.path("metadata").path("uid");
        if (!options.uid().isEmpty() && !options.uid().equals(uid.asString(""))) {
            throw ApiException.conflict(type.groupResource(), name, "the UID differs");
        }
        if (type.resource().equals("pods") && options.gracePeriodSeconds() != 0) {
            long grace = options.gracePeriodSeconds() < 0 ? 30 : options.gracePeriodSeconds();
            ObjectNode metadata = Json.child(object, "metadata");
            metadata.put("deletionTimestamp", Instant.now().plusSeconds(grace).toString());
            metadata.put("deletionGracePeriodSeconds", grace);
            put(type, namespace, name, object);
            return;
        }
        StoredObject before;
        List<ObjectCache.Listener> interested;
        synchronized (this) {
            before = new EncodedObject(Json.encode(object));
            objects.remove(key(type, namespace, name));
            interested = List.copyOf(listeners.getOrDefault(type.resource(), List.of()));
            notifyAll();
        }
        interested.forEach(listener -> listener.onChange(before, null));
    }

    @Override
    public void deleteAll(ResourceType type, String namespace, ListOptions selection, DeleteOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte[] raw(String method, String path, byte[] body) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Transport.Stream watch(ResourceType type, String namespace, ListOptions options, Transport.WatchSink sink) {
        throw new UnsupportedOperationException();
    }

    private ObjectNode put(ResourceType type, String namespace, String name, ObjectNode object) {
        ObjectNode stored = object.deepCopy();
        @Nullable StoredObject before;
        StoredObject after;
        List<ObjectCache.Listener> interested;
        synchronized (this) {
            Json.child(stored, "metadata").put("resourceVersion", Long.toString(++revision));
            ObjectNode old = objects.put(key(type, namespace, name), stored);
            before = old == null ? null : new EncodedObject(Json.encode(old));
            after = new EncodedObject(Json.encode(stored));
            interested = List.copyOf(listeners.getOrDefault(type.resource(), List.of()));
            notifyAll();
        }
        interested.forEach(listener -> listener.onChange(before, after));
        return stored.deepCopy();
    }

    private static String key(ResourceType type, String namespace, String name) {
        return type.resource() + "/" + namespace + "/" + name;
    }

    /** The reading side. */
    public ObjectCache cache() {
        return new Cache();
    }

    private final class Cache implements ObjectCache {
        @Override
        public Optional<StoredObject> get(ResourceType type, String namespace, String name) {
            return find(type, namespace, name).map(object -> new EncodedObject(Json.encode(object)));
        }

        @Override
        public List<StoredObject> list(ResourceType type, String namespace) {
            List<StoredObject> found = new ArrayList<>();
            all(type).forEach(object -> found.add(new EncodedObject(Json.encode(object))));
            return found;
        }

        @Override
        public Subscription subscribe(ResourceType type, Listener listener) {
            List<StoredObject> present;
            synchronized (FakeHost.this) {
                present = list(type, "");
                listeners
                        .computeIfAbsent(type.resource(), _ -> new CopyOnWriteArrayList<>())
                        .add(listener);
            }
            present.forEach(object -> listener.onChange(null, object));
            return () -> {
                synchronized (FakeHost.this) {
                    listeners.getOrDefault(type.resource(), List.of()).remove(listener);
                }
            };
        }

        @Override
        public void close() {}
    }
}
