package io.atoll.apiserver;

import java.security.cert.X509Certificate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns credentials into a user of one cluster. Any thread. */
public interface Authenticator {
    /**
     * The user behind a request.
     *
     * @param certificate the client certificate that the TLS handshake proved possession of; not yet checked for trust
     * @param bearerToken the token of the {@code Authorization} header
     * @return empty when credentials were given and none of them is trusted here: answer 401. {@link
     *     UserInfo#ANONYMOUS} when none were given.
     */
    Optional<UserInfo> authenticate(@Nullable X509Certificate certificate, @Nullable String bearerToken);
}
