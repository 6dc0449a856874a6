package io.atoll.controllers;

import io.atoll.base.Timers;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ResourceType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A cache that shows changes late, each type on its own, by turns that a seed decides. Guarded by the instance's lock.
 */
final class LaggingCache implements ObjectCache {
    private record Change(
            @Nullable StoredObject before, @Nullable StoredObject after) {}

    private static final class TypeCopy {
        private final Map<String, StoredObject> shown = new HashMap<>();
        private final Queue<Change> late = new ArrayDeque<>();
        private final List<Listener> listeners = new ArrayList<>();
    }

    private final ObjectCache cache;
    private final Random random;
    private final Map<String, TypeCopy> types = new HashMap<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private volatile boolean closed;

    LaggingCache(ObjectCache cache, long seed) {
        this.cache = cache;
        this.random = new Random(seed);
        tick();
    }

    private void tick() {
        step();
        if (!closed) {
            Timers.system().after(Duration.ofMillis(2), this::tick);
        }
    }

    /** Shows some of what is late. */
    private synchronized void step() {
        for (TypeCopy copy : types.values()) {
            int count = random.nextInt(4);
            for (int i = 0; i < count; i++) {
                Change change = copy.late.poll();
                if (change != null) {
                    show(copy, change);
                }
            }
        }
    }

    private static void show(TypeCopy copy, Change change) {
        if (change.after != null) {
            copy.shown.put(key(change.after), change.after);
        } else if (change.before != null) {
            copy.shown.remove(key(change.before));
        }
        copy.listeners.forEach(listener -> listener.onChange(change.before, change.after));
    }

    private static String key(StoredObject object) {
        return object.namespace() + "/" + object.name();
    }

    private TypeCopy copy(ResourceType type) {
        TypeCopy known = types.get(type.resource());
        if (known != null) {
            return known;
        }
        TypeCopy copy = new TypeCopy();
        types.put(type.resource(), copy);
        subscriptions.add(cache.subscribe(type, (before, after) -> {
            synchronized (this) {
                copy.late.add(new Change(before, after));
            }
        }));
        return copy;
    }

    @Override
    public synchronized Optional<StoredObject> get(ResourceType type, String namespace, String name) {
        return Optional.ofNullable(copy(type).shown.get(namespace + "/" + name));
    }

    @Override
    public synchronized List<StoredObject> list(ResourceType type, String namespace) {
        return copy(type).shown.values().stream()
                .filter(object -> namespace.isEmpty() || object.namespace().equals(namespace))
                .toList();
    }

    @Override
    public synchronized Subscription subscribe(ResourceType type, Listener listener) {
        TypeCopy copy = copy(type);
        copy.shown.values().forEach(object -> listener.onChange(null, object));
        copy.listeners.add(listener);
        return () -> {
            synchronized (this) {
                copy.listeners.remove(listener);
            }
        };
    }

    @Override
    public void close() {
        closed = true;
        subscriptions.forEach(Subscription::close);
    }
}
