package io.atoll.client.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** TLS contexts out of credentials. */
final class ClientTls {
    private static final char[] NO_PASSWORD = {};

    private ClientTls() {}

    static SSLContext context(Credentials credentials) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(credentials), new TrustManager[] {trust(credentials)}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "cannot use the credentials for " + credentials.server() + ": " + e.getMessage(), e);
        }
    }

    private static KeyManager @Nullable [] keys(Credentials credentials) throws GeneralSecurityException, IOException {
        if (credentials.clientCertificatePem().isEmpty()) {
            return null;
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        Certificate[] chain = certificates(credentials.clientCertificatePem()).toArray(Certificate[]::new);
        store.setKeyEntry("client", PemKey.parse(credentials.clientKeyPem()), NO_PASSWORD, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static TrustManager trust(Credentials credentials) throws GeneralSecurityException, IOException {
        KeyStore store = null;
        if (!credentials.authorityPem().isEmpty()) {
            store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int number = 0;
            for (Certificate authority : certificates(credentials.authorityPem())) {
                store.setCertificateEntry("ca" + number++, authority);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager checked) {
                boolean asIs =
                        !credentials.insecure() && credentials.tlsServerName().isEmpty();
                return asIs ? checked : new OtherName(checked, credentials);
            }
        }
        throw new GeneralSecurityException("no trust manager in this JDK");
    }

    private static Collection<? extends Certificate> certificates(String pem) throws CertificateException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Expects another name in the server's certificate than the host's, or, insecure, nothing at all. */
    private static final class OtherName extends X509ExtendedTrustManager {
        private static final int DNS_NAME = 2;

        private final X509ExtendedTrustManager delegate;
        private final boolean insecure;
        private final String name;

        OtherName(X509ExtendedTrustManager delegate, Credentials credentials) {
            this.delegate = delegate;
            this.insecure = credentials.insecure();
            this.name = credentials.tlsServerName().toLowerCase(Locale.ROOT);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            if (insecure) {
                return;
            }
            delegate.checkServerTrusted(chain, authType);
            Collection<List<?>> names = chain[0].getSubjectAlternativeNames();
            if (names == null || names.stream().noneMatch(this::matches)) {
                throw new CertificateException("the server's certificate is not for " + name);
            }
        }

        private boolean matches(List<?> subject) {
            if (!Integer.valueOf(DNS_NAME).equals(subject.get(0)) || !(subject.get(1) instanceof String pattern)) {
                return false;
            }
            String expected = pattern.toLowerCase(Locale.ROOT);
            int dot = name.indexOf('.');
            return expected.equals(name)
                    || (expected.startsWith("*.")
                            && dot > 0
                            && expected.substring(1).equals(name.substring(dot)));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return delegate.getAcceptedIssuers();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
            throw new UnsupportedOperationException("a client only");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
            throw new UnsupportedOperationException("a client only");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            throw new UnsupportedOperationException("a client only");
        }
    }
}
