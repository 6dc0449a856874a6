package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.Authenticator;
import io.atoll.apiserver.Cluster;
import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.pki.ClusterKeys;
import io.atoll.apiserver.pki.SubjectNames;
import io.atoll.base.TenantId;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** A cluster that answers what a test says; every caller is anonymous unless the test says otherwise. */
final class ScriptedCluster implements Cluster {
    final TenantId tenant;
    final ClusterKeys keys;
    volatile Function<ApiRequest, ApiResponse> script = request ->
            ApiResponse.Full.of(200, "application/json", "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    volatile Authenticator authenticator = (_, _) -> Optional.of(UserInfo.ANONYMOUS);

    ScriptedCluster(String name) {
        this.tenant = new TenantId("tenants", name);
        this.keys = ClusterKeys.generate(name, SubjectNames.standard(), InstantSource.system());
    }

    @Override
    public TenantId tenant() {
        return tenant;
    }

    @Override
    public ApiResponse handle(ApiRequest request) {
        return script.apply(request);
    }

    @Override
    public ObjectReader objects() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Authenticator authenticator() {
        return authenticator;
    }

    @Override
    public void close() {}
}
