package io.atoll.apiserver;

import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.base.TenantId;

/** One cluster's API over its own store. Any thread; owns no thread of its own while nothing happens. */
public final class ClusterApi implements Cluster {
    private final TenantId tenant;
    private final ClusterOptions options;

    private ClusterApi(TenantId tenant, ClusterOptions options) {
        this.tenant = tenant;
        this.options = options;
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
    @SuppressWarnings("DoNotCallSuggester") // until the registry stands behind it
    public ClusterContext context() {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public ApiResponse handle(ApiRequest request) {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public ObjectReader objects() {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public Authenticator authenticator() {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public void close() {
        options.store().close();
    }
}
