package io.atoll.e2e;

import io.atoll.client.Client;
import io.atoll.client.Kubeconfig;
import io.atoll.client.RestClient;
import io.atoll.client.http.Credentials;
import io.atoll.client.http.HttpTransport;

/** The project's own client as a tenant's cluster-admin, for loads that kubectl is too slow for. */
final class TenantClient {
    private TenantClient() {}

    static Client of(EmbeddedHost host, String tenant) {
        return new RestClient(
                new HttpTransport(Credentials.of(Kubeconfig.parse(
                        host.atoll("connect", tenant, "--print").ok().out()))),
                "atoll-e2e");
    }
}
