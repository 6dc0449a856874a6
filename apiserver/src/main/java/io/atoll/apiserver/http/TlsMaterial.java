package io.atoll.apiserver.http;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a cluster shows in TLS handshakes. Immutable.
 *
 * <p>Clients are asked for a certificate without naming acceptable issuers: then a certificate of another cluster is
 * sent, and answered 401, where else it would be withheld and its holder be anonymous.
 *
 * @param chain the serving certificate, then its issuers
 * @param key the serving certificate's key
 */
public record TlsMaterial(List<X509Certificate> chain, PrivateKey key) {
    public TlsMaterial {
        chain = List.copyOf(chain);
    }
}
