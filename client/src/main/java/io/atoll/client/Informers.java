package io.atoll.client;

import io.atoll.base.Timers;
import io.atoll.model.ResourceType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A copy of a cluster's objects, kept by list and watch. Any thread.
 *
 * <p>A type is listed when it is first asked for; that call waits for the first list, or for its failure. Types that
 * are not served (a CRD to come) look empty and are tried again with backoff.
 */
public final class Informers implements ObjectCache {
    private final RestClient client;
    private final Timers timers;
    private final ConcurrentMap<String, Informer> informers = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public Informers(RestClient client, Timers timers) {
        this.client = client;
        this.timers = timers;
    }

    @Override
    public Optional<StoredObject> get(ResourceType type, String namespace, String name) {
        return informer(type).get(namespace, name);
    }

    @Override
    public List<StoredObject> list(ResourceType type, String namespace) {
        return informer(type).list(namespace);
    }

    @Override
    public Subscription subscribe(ResourceType type, Listener listener) {
        return informer(type).subscribe(listener);
    }

    @Override
    public void close() {
        closed = true;
        informers.values().forEach(Informer::close);
        informers.clear();
    }

    private Informer informer(ResourceType type) {
        if (closed) {
            throw new IllegalStateException("the cache is closed");
        }
        Informer informer = informers.computeIfAbsent(
                type.apiVersion() + "/" + type.resource(), _ -> new Informer(client, timers, type));
        informer.awaitFirstList();
        return informer;
    }
}
