package io.atoll.apiserver.http;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a cluster shows in TLS handshakes. Immutable.
 *
 * @param chain the serving certificate, then its issuers
 * @param key the serving certificate's key
 * @param clientAuthorities named to clients as acceptable issuers; whether a certificate is trusted is the cluster's
 *     {@code Authenticator} to say, so that a wrong one is answered 401 rather than cut
 */
public record TlsMaterial(List<X509Certificate> chain, PrivateKey key, List<X509Certificate> clientAuthorities) {
    public TlsMaterial {
        chain = List.copyOf(chain);
        clientAuthorities = List.copyOf(clientAuthorities);
    }
}
