package io.atoll.scheduler;

import io.atoll.client.Client;
import io.atoll.client.EncodedObject;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.client.Transport;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.StatusReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A host in memory, as much of it as the scheduler uses: both its API and its cache. Writes are seen at once.
 *
 * <p>Any thread. A test may make bindings fail.
 */
final class FakeHost implements Client {
    private static final long DEADLINE_SECONDS = 20;

    private record Key(String resource, String namespace, String name) {}

    private record Subscribed(String resource, ObjectCache.Listener listener) {}

    private final Map<Key, ObjectNode> objects = new LinkedHashMap<>();
    private final List<Subscribed> listeners = new ArrayList<>();
    private Function<ObjectNode, Optional<ApiException>> bindingFault = _ -> Optional.empty();
    private int bindings;
    private long version;

    /** Decides which bindings fail, and how. */
    synchronized void failBindings(Function<ObjectNode, Optional<ApiException>> fault) {
        bindingFault = fault;
    }

    synchronized int bindings() {
        return bindings;
    }

    /** Waits until an object is as wanted; answers with it. */
    ObjectNode await(ResourceType type, String namespace, String name, Predicate<ObjectNode> wanted) {
        return await(() -> find(type, namespace, name).filter(wanted), () -> name + ": " + find(type, namespace, name));
    }

    /** Waits for an event about a pod. */
    ObjectNode awaitEvent(String pod, String reason) {
        return await(
                () -> events(pod).stream()
                        .filter(event -> event.path("reason").asString("").equals(reason))
                        .findFirst(),
                () -> "events of " + pod + ": " + events(pod));
    }

    synchronized List<ObjectNode> events(String pod) {
        return objects.entrySet().stream()
                .filter(entry -> entry.getKey().resource.equals("events"))
                .map(Map.Entry::getValue)
                .filter(event ->
                        event.path("involvedObject").path("name").asString("").equals(pod))
                .toList();
    }

    private interface Look {
        Optional<ObjectNode> look();
    }

    private interface Description {
        String text();
    }

    private synchronized ObjectNode await(Look look, Description otherwise) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (true) {
            Optional<ObjectNode> found = look.look();
            if (found.isPresent()) {
                return found.get();
            }
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("waited too long for " + otherwise.text());
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    public synchronized ObjectNode create(ResourceType type, String namespace, ObjectNode object) {
        String name = object.path("metadata").path("name").asString("");
        Key key = new Key(type.resource(), namespace, name);
        if (objects.containsKey(key)) {
            throw new ApiException(StatusReason.AlreadyExists, type.resource() + " \"" + name + "\" already exists");
        }
        return put(key, object);
    }

    @Override
    public synchronized ObjectNode update(ResourceType type, ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        return put(
                new Key(
                        type.resource(),
                        metadata.path("namespace").asString(""),
                        metadata.path("name").asString("")),
                object);
    }

    @Override
    public synchronized void delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        Key key = new Key(type.resource(), namespace, name);
        ObjectNode before = require(key);
        objects.remove(key);
        notifyAll();
        StoredObject last = stored(before);
        each(type.resource(), listener -> listener.onChange(last, null));
    }

    @Override
    public synchronized ObjectNode get(ResourceType type, String namespace, String name) {
        return require(new Key(type.resource(), namespace, name)).deepCopy();
    }

    @Override
    public synchronized Optional<ObjectNode> find(ResourceType type, String namespace, String name) {
        return Optional.ofNullable(objects.get(new Key(type.resource(), namespace, name)))
                .map(ObjectNode::deepCopy);
    }

    @Override
    public synchronized ObjectNode createSubresource(
            ResourceType type, String namespace, String name, String subresource, ObjectNode body) {
        bindings++;
        Optional<ApiException> fault = bindingFault.apply(body);
        if (fault.isPresent()) {
            throw fault.get();
        }
        Key key = new Key(type.resource(), namespace, name);
        ObjectNode pod = require(key).deepCopy();
        if (!pod.path("spec").path("nodeName").asString("").isEmpty()) {
            throw new ApiException(StatusReason.Conflict, "pod " + name + " is already assigned to a node");
        }
        Json.child(pod, "spec").put("nodeName", body.path("target").path("name").asString(""));
        put(key, pod);
        return Json.object();
    }

    /** Merges conditions by type for pods' status, and fields for events. */
    @Override
    public synchronized ObjectNode patch(
            ResourceType type, String namespace, String name, String subresource, PatchType patchType, JsonNode patch) {
        Key key = new Key(type.resource(), namespace, name);
        ObjectNode object = require(key).deepCopy();
        if (subresource.equals("status")) {
            ArrayNode conditions = Json.child(object, "status").putArray("conditions");
            patch.path("status").path("conditions").forEach(conditions::add);
        } else {
            patch.properties().forEach(field -> object.set(field.getKey(), field.getValue()));
        }
        return put(key, object);
    }

    private ObjectNode put(Key key, ObjectNode object) {
        ObjectNode before = objects.get(key);
        ObjectNode stored = object.deepCopy();
        ObjectNode metadata = Json.child(stored, "metadata");
        metadata.put("resourceVersion", String.valueOf(++version));
        if (!metadata.has("uid")) {
            metadata.put("uid", "uid-" + version);
        }
        if (!key.namespace.isEmpty()) {
            metadata.put("namespace", key.namespace);
        }
        objects.put(key, stored);
        notifyAll();
        StoredObject after = stored(stored);
        StoredObject last = before == null ? null : stored(before);
        each(key.resource, listener -> listener.onChange(last, after));
        return stored.deepCopy();
    }

    private ObjectNode require(Key key) {
        ObjectNode object = objects.get(key);
        if (object == null) {
            throw new ApiException(StatusReason.NotFound, key.resource + " \"" + key.name + "\" not found");
        }
        return object;
    }

    private interface Notification {
        void to(ObjectCache.Listener listener);
    }

    private void each(String resource, Notification notification) {
        for (Subscribed subscribed : List.copyOf(listeners)) {
            if (subscribed.resource.equals(resource)) {
                notification.to(subscribed.listener);
            }
        }
    }

    private static StoredObject stored(ObjectNode object) {
        return new EncodedObject(Json.encode(object));
    }

    /** The host's cache. */
    ObjectCache cache() {
        return new Cache();
    }

    private final class Cache implements ObjectCache {
        @Override
        public Optional<StoredObject> get(ResourceType type, String namespace, String name) {
            return find(type, namespace, name).map(FakeHost::stored);
        }

        @Override
        public List<StoredObject> list(ResourceType type, String namespace) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription subscribe(ResourceType type, Listener listener) {
            Subscribed subscribed = new Subscribed(type.resource(), listener);
            synchronized (FakeHost.this) {
                objects.forEach((key, object) -> {
                    if (key.resource.equals(type.resource())) {
                        listener.onChange(null, stored(object));
                    }
                });
                listeners.add(subscribed);
            }
            return () -> {
                synchronized (FakeHost.this) {
                    listeners.remove(subscribed);
                }
            };
        }

        @Override
        public void close() {}
    }

    // ---- not used by the scheduler ----

    @Override
    public ObjectNode list(ResourceType type, String namespace, ListOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ObjectNode updateStatus(ResourceType type, ObjectNode object) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ObjectNode apply(ResourceType type, String namespace, String name, String fieldManager, ObjectNode object) {
        throw new UnsupportedOperationException();
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
}
