package io.atoll.apiserver.authn;

import io.atoll.apiserver.Authenticator;
import io.atoll.apiserver.UserInfo;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whom one cluster trusts: holders of client certificates of its own authorities, then of its service-account tokens.
 * Without credentials one is anonymous; with wrong ones nobody. Any thread.
 */
public final class ClusterAuthenticator implements Authenticator {
    private final ClientCertificates certificates;
    private final ServiceAccountTokens tokens;

    /**
     * An authenticator.
     *
     * @param authorities of this cluster only; two while one replaces the other
     */
    public ClusterAuthenticator(List<X509Certificate> authorities, ServiceAccountTokens tokens, InstantSource clock) {
        this.certificates = new ClientCertificates(authorities, clock);
        this.tokens = tokens;
    }

    @Override
    public Optional<UserInfo> authenticate(@Nullable X509Certificate certificate, @Nullable String bearerToken) {
        if (certificate == null && bearerToken == null) {
            return Optional.of(UserInfo.ANONYMOUS);
        }
        if (certificate != null) {
            Optional<UserInfo> user = certificates.user(certificate);
            if (user.isPresent()) {
                return user;
            }
        }
        return bearerToken == null
                ? Optional.empty()
                : tokens.verify(bearerToken, List.of()).map(ServiceAccountTokens.Verified::user);
    }
}
