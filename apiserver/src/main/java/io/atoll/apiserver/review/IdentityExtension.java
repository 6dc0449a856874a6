package io.atoll.apiserver.review;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.authn.IssuerDocuments;
import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;
import java.util.function.Function;

/** Identity: reviews of callers and tokens, tokens for service accounts, and the issuer's public documents. */
public final class IdentityExtension implements Extension {
    private final Function<ClusterContext, ServiceAccountTokens> tokens;

    /** Takes what gives a cluster's tokens: the same that its authenticator checks with. */
    public IdentityExtension(Function<ClusterContext, ServiceAccountTokens> tokens) {
        this.tokens = tokens;
    }

    @Override
    public void install(ClusterContext cluster, Registrar registrar) {
        ServiceAccountTokens own = tokens.apply(cluster);
        new IdentityReviews(own).register(registrar);
        new TokenRequests(own, cluster.objects()).register(registrar);
        registrar.path(
                "/openid/v1/jwks",
                _ -> ApiResponse.Full.of(200, "application/jwk-set+json", IssuerDocuments.keySet(own)));
        registrar.path(
                "/.well-known/openid-configuration",
                request -> ApiResponse.Full.of(
                        200, "application/json", IssuerDocuments.configuration(own, keySetUri(request))));
    }

    private static String keySetUri(ApiRequest request) {
        return "https://" + request.header("host", "kubernetes.default.svc") + "/openid/v1/jwks";
    }
}
