package io.atoll.apiserver;

import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.authz.RbacExtension;
import io.atoll.apiserver.discovery.DiscoveryExtension;
import io.atoll.apiserver.openapi.OpenApiExtension;
import io.atoll.apiserver.quota.QuotaExtension;
import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;
import io.atoll.apiserver.review.IdentityExtension;
import io.atoll.apiserver.table.TableExtension;
import java.util.List;
import java.util.function.Function;

/** The extensions of a full Kubernetes API. */
public final class StandardExtensions {
    private StandardExtensions() {}

    /**
     * Everything.
     *
     * @param tokens gives a cluster's tokens: the same that its authenticator checks with
     */
    public static List<Extension> of(Function<ClusterContext, ServiceAccountTokens> tokens) {
        return List.of(
                new RbacExtension(),
                new IdentityExtension(tokens),
                new DiscoveryExtension(),
                new OpenApiExtension(),
                new TableExtension(),
                new QuotaExtension());
    }

    /** All but service-account tokens and identity reviews: for clusters in tests that know no keys. */
    public static List<Extension> withoutTokens() {
        return List.of(
                new RbacExtension(),
                new DiscoveryExtension(),
                new OpenApiExtension(),
                new TableExtension(),
                new QuotaExtension());
    }
}
