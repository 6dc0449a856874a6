package io.atoll.client;

import io.atoll.base.Backoff;
import io.atoll.base.Timers;
import io.atoll.model.ApiException;
import io.atoll.model.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy of one type. Owns its watch and its retries; changes happen under the instance's lock, in the order the
 * server sent them, and reads take no lock.
 */
final class Informer {
    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private final RestClient client;
    private final Timers timers;
    private final ResourceType type;
    private final ConcurrentSkipListMap<String, StoredObject> objects = new ConcurrentSkipListMap<>();
    private final CopyOnWriteArrayList<ObjectCache.Listener> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch firstList = new CountDownLatch(1);
    private final AtomicBoolean started = new AtomicBoolean();
    private String resourceVersion = "";
    private int failures;
    private Transport.@Nullable Stream stream;
    private boolean closed;

    Informer(RestClient client, Timers timers, ResourceType type) {
        this.client = client;
        this.timers = timers;
        this.type = type;
    }

    void awaitFirstList() {
        if (started.compareAndSet(false, true)) {
            connect();
            firstList.countDown();
            return;
        }
        try {
            firstList.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the first list of " + type.resource(), e);
        }
    }

    Optional<StoredObject> get(String namespace, String name) {
        return Optional.ofNullable(objects.get(namespace + "/" + name));
    }

    List<StoredObject> list(String namespace) {
        // '0' follows '/', so this range is exactly the namespace.
        return namespace.isEmpty()
                ? new ArrayList<>(objects.values())
                : new ArrayList<>(
                        objects.subMap(namespace + "/", namespace + "0").values());
    }

    synchronized ObjectCache.Subscription subscribe(ObjectCache.Listener listener) {
        for (StoredObject object : objects.values()) {
            listener.onChange(null, object);
        }
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    synchronized void close() {
        closed = true;
        listeners.clear();
        if (stream != null) {
            stream.close();
        }
    }

    /** Lists when nothing is known, then watches. Runs on one thread at a time: each failure schedules the next try. */
    private void connect() {
        try {
            if (position().isEmpty()) {
                replace(client.listBytes(type, Client.ListOptions.ALL));
            }
            Transport.Stream opened =
                    client.watch(type, "", new Client.ListOptions("", "", position(), 0, ""), new Sink());
            adopt(opened);
        } catch (ApiException e) {
            if (e.code() == 410) {
                forgetPosition();
            } else if (e.code() != 404) {
                LOG.warn("cannot list and watch {}: {}", type.groupResource(), e.getMessage());
            }
            retry();
        } catch (RuntimeException e) {
            LOG.warn("cannot list and watch {}", type.groupResource(), e);
            retry();
        }
    }

    private synchronized void adopt(Transport.Stream opened) {
        stream = opened;
        if (closed) {
            opened.close();
        }
    }

    private synchronized String position() {
        return resourceVersion;
    }

    private synchronized void forgetPosition() {
        resourceVersion = "";
    }

    private synchronized void retry() {
        if (!closed) {
            failures++;
            timers.after(RETRY.after(failures), this::connect);
        }
    }

    private synchronized void replace(byte[] list) {
        JsonBytes.Page page = JsonBytes.page(list, type.apiVersion(), type.kind());
        Set<String> present = new HashSet<>();
        for (byte[] item : page.items()) {
            StoredObject object = new EncodedObject(item);
            present.add(key(object));
            put(object);
        }
        for (String key : List.copyOf(objects.keySet())) {
            if (!present.contains(key)) {
                remove(key, null);
            }
        }
        resourceVersion = page.resourceVersion();
        failures = 0;
    }

    private synchronized void apply(JsonBytes.Event event) {
        if (closed) {
            return;
        }
        StoredObject object = new EncodedObject(event.object());
        switch (event.type()) {
            case "ADDED", "MODIFIED" -> put(object);
            case "DELETED" -> remove(key(object), object);
            case "BOOKMARK" -> {}
            case "ERROR" -> {
                // Too old, most often: start over from a list.
                resourceVersion = "";
                return;
            }
            default -> LOG.warn("unknown watch event {}", event.type());
        }
        failures = 0;
        resourceVersion = object.resourceVersion();
    }

    private void put(StoredObject object) {
        StoredObject before = objects.put(key(object), object);
        if (before != null && before.resourceVersion().equals(object.resourceVersion())) {
            return;
        }
        tell(before, object);
    }

    private void remove(String key, @Nullable StoredObject last) {
        StoredObject before = objects.remove(key);
        if (before != null) {
            tell(last == null ? before : last, null);
        }
    }

    private void tell(@Nullable StoredObject before, @Nullable StoredObject after) {
        for (ObjectCache.Listener listener : listeners) {
            listener.onChange(before, after);
        }
    }

    private static String key(StoredObject object) {
        return object.namespace() + "/" + object.name();
    }

    /** Feeds the copy from one watch. */
    private final class Sink implements Transport.WatchSink {
        @Override
        public void onEvent(byte[] event) {
            apply(JsonBytes.event(event));
        }

        @Override
        public void onEnd() {
            retry();
        }
    }
}
