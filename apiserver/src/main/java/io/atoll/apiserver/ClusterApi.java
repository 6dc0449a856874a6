package io.atoll.apiserver;

import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Endpoints;
import io.atoll.apiserver.registry.Extension;
import io.atoll.apiserver.registry.FirstObjects;
import io.atoll.apiserver.registry.Registry;
import io.atoll.apiserver.verb.ClusterParts;
import io.atoll.apiserver.verb.Health;
import io.atoll.apiserver.verb.Router;
import io.atoll.apiserver.watch.CacheReader;
import io.atoll.apiserver.watch.WatchCache;
import io.atoll.base.TenantId;
import io.atoll.store.Store;
import java.util.TreeMap;

/** One cluster's API over its own store. Any thread; owns no thread of its own while nothing happens. */
public final class ClusterApi implements Cluster {
    private final TenantId tenant;
    private final Store store;
    private final WatchCache cache;
    private final Registry registry;
    private final ClusterContext context;
    private final Router router;
    private final Authenticator authenticator;

    private ClusterApi(TenantId tenant, ClusterOptions options) {
        this.tenant = tenant;
        this.store = options.store();
        this.cache = new WatchCache(store);
        Endpoints endpoints = new Endpoints();
        this.registry = new Registry(tenant, store, cache, endpoints, options.timers(), options.random());
        this.context = new ClusterContext(tenant, endpoints, new CacheReader(cache), options.timers());

        Installation installation = new Installation();
        for (Extension extension : options.extensions()) {
            extension.install(context, installation);
        }
        registry.admission(installation.admission(registry));
        this.router = new Router(new ClusterParts(
                registry,
                installation.authorizer(),
                installation.views(),
                options.podStreams(),
                new TreeMap<>(installation.paths(new Health(registry))),
                installation.creators()));
        this.authenticator = options.authenticator().apply(context);
        if (store.revision() == 0) {
            registry.createAll(FirstObjects.of(registry, installation.bootstrap()));
        } else {
            registry.customTypes().refresh();
        }
    }

    /** Opens a cluster; a store that is empty gets the objects that every cluster has. */
    public static ClusterApi open(TenantId tenant, ClusterOptions options) {
        return new ClusterApi(tenant, options);
    }

    @Override
    public TenantId tenant() {
        return tenant;
    }

    /** What the cluster's exchangeable parts see of it. */
    public ClusterContext context() {
        return context;
    }

    @Override
    public ApiResponse handle(ApiRequest request) {
        return router.handle(request);
    }

    @Override
    public ObjectReader objects() {
        return context.objects();
    }

    @Override
    public Authenticator authenticator() {
        return authenticator;
    }

    @Override
    public void close() {
        registry.eventExpiry().close();
        cache.close();
        store.close();
    }
}
