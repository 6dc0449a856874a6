package io.atoll.apiserver.registry;

import io.atoll.apiserver.admission.Admission;
import io.atoll.apiserver.crd.CustomTypes;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.apiserver.watch.WatchCache;
import io.atoll.base.TenantId;
import io.atoll.base.Timers;
import io.atoll.model.GroupResource;
import io.atoll.store.Store;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import tools.jackson.databind.node.ObjectNode;

/**
 * One cluster's objects: reads from the watch cache, writes to the store. Any thread.
 *
 * <p>Holds nothing of any other cluster; what it shares with them (schemas, strategies) is immutable.
 */
public final class Registry {
    private final TenantId tenant;
    private final Store store;
    private final WatchCache cache;
    private final Endpoints endpoints;
    private final Timers timers;
    private final RandomGenerator random;
    private final ServiceAddresses addresses = new ServiceAddresses(this);
    private final CustomTypes customTypes = new CustomTypes(this);
    private final EventExpiry eventExpiry = new EventExpiry(this);
    private volatile List<Admission> admission = List.of();

    public Registry(
            TenantId tenant,
            Store store,
            WatchCache cache,
            Endpoints endpoints,
            Timers timers,
            RandomGenerator random) {
        this.tenant = tenant;
        this.store = store;
        this.cache = cache;
        this.endpoints = endpoints;
        this.timers = timers;
        this.random = random;
    }

    /** Sets the chain once, while the cluster opens. */
    public void admission(List<Admission> chain) {
        admission = List.copyOf(chain);
    }

    public List<Admission> admission() {
        return admission;
    }

    public Store store() {
        return store;
    }

    public TenantId tenant() {
        return tenant;
    }

    public WatchCache cache() {
        return cache;
    }

    public Endpoints endpoints() {
        return endpoints;
    }

    public Timers timers() {
        return timers;
    }

    public RandomGenerator random() {
        return random;
    }

    public EventExpiry eventExpiry() {
        return eventExpiry;
    }

    public CustomTypes customTypes() {
        return customTypes;
    }

    public ServiceAddresses addresses() {
        return addresses;
    }

    /** The time as {@code metadata} writes it: whole seconds. */
    public String now() {
        return seconds(timers.instant());
    }

    public static String seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    public String newUid() {
        long high = (random.nextLong() & ~0xf000L) | 0x4000L;
        long low = (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
        return new UUID(high, low).toString();
    }

    /** An object in the stored version. */
    public Optional<CachedObject> find(GroupResource resource, String namespace, String name) {
        return cache.get(resource, namespace, name);
    }

    public List<CachedObject> list(GroupResource resource, String namespace) {
        return cache.list(resource, namespace).objects();
    }

    /** The latest state straight from the store, for a write that lost a race. */
    Optional<CachedObject> latest(Endpoint endpoint, String namespace, String name) {
        return store.get(WatchCache.key(endpoint.storedAs(), namespace, name))
                .map(entry -> cached(namespace, name, entry));
    }

    Store.CommitResult commitCreate(Endpoint endpoint, String namespace, String name, ObjectNode object) {
        return store.commit(new Store.Change.Create(
                WatchCache.key(endpoint.storedAs(), namespace, name), StoredForm.encode(object)));
    }

    Store.CommitResult commitUpdate(Endpoint endpoint, CachedObject before, byte[] stored) {
        return store.commit(new Store.Change.Update(
                WatchCache.prefix(endpoint.storedAs()) + before.path(), stored, before.revision()));
    }

    Store.CommitResult commitDelete(Endpoint endpoint, CachedObject before) {
        return store.commit(
                new Store.Change.Delete(WatchCache.prefix(endpoint.storedAs()) + before.path(), before.revision()));
    }

    static CachedObject cached(String namespace, String name, Store.Entry entry) {
        return CachedObject.of(WatchCache.path(namespace, name), entry.value(), entry.modRevision());
    }

    /** Commits objects of a new cluster in one go. */
    public void createAll(List<ObjectNode> objects) {
        store.commitAll(objects.stream().map(this::creation).toList());
    }

    private Store.Change creation(ObjectNode object) {
        Endpoint endpoint = endpoints
                .endpoint(io.atoll.model.GroupVersionKind.of(object))
                .orElseThrow(() -> new IllegalArgumentException("not served: " + object));
        return new Store.Change.Create(
                WatchCache.key(
                        endpoint.storedAs(),
                        io.atoll.model.Metadata.namespace(object),
                        io.atoll.model.Metadata.name(object)),
                StoredForm.encode(object));
    }
}
