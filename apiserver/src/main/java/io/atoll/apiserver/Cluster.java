package io.atoll.apiserver;

import io.atoll.base.TenantId;

/** One cluster's API: the host's or a tenant's. Any thread. */
public interface Cluster extends AutoCloseable {
    TenantId tenant();

    /**
     * Authorizes and answers a request. Failures come back as a {@code Status} in the response, never as an exception.
     * Blocks its (virtual) thread until a write is durable.
     */
    ApiResponse handle(ApiRequest request);

    /** Reads the watch cache directly, as controllers in this process do. Trusted: no authorization. */
    ObjectReader objects();

    /** Who this cluster trusts. */
    Authenticator authenticator();

    @Override
    void close();
}
