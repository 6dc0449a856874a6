package io.atoll.tenancy;

import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.pki.ClusterKeys;
import io.atoll.apiserver.registry.ClusterContext;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One cluster's tokens: the authenticator checks with the same instance that issues them. Any thread. */
final class ClusterTokens implements Function<ClusterContext, ServiceAccountTokens> {
    private static final int FINGERPRINT_BYTES = 16;

    private final ClusterKeys keys;
    private final InstantSource clock;
    private @Nullable ServiceAccountTokens tokens;

    ClusterTokens(ClusterKeys keys, InstantSource clock) {
        this.keys = keys;
        this.clock = clock;
    }

    @Override
    public synchronized ServiceAccountTokens apply(ClusterContext cluster) {
        ServiceAccountTokens made = tokens;
        if (made == null) {
            made = new ServiceAccountTokens(issuer(), keys.serviceAccount(), List.of(), cluster.objects(), clock);
            tokens = made;
        }
        return made;
    }

    /** The authority's fingerprint is the cluster's identity: no other cluster issues tokens under it. */
    private String issuer() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(keys.authority().certificate().getEncoded());
            return "https://kubernetes.default.svc/" + HexFormat.of().formatHex(hash, 0, FINGERPRINT_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
