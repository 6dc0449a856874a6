package io.atoll.apiserver.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** A certificate and its key. Immutable. */
public record KeyedCertificate(X509Certificate certificate, PrivateKey key) {
    public String certificatePem() {
        return Pem.encode(certificate);
    }

    public String keyPem() {
        return Pem.encode(key);
    }
}
