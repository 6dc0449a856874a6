package io.atoll.apiserver.http;

import io.atoll.apiserver.pki.KeyedCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Real TLS clients for tests. */
final class TestTls {
    private TestTls() {}

    static SSLContext context(X509Certificate authority, @Nullable KeyedCertificate client) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", authority);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            KeyManager[] keys = null;
            if (client != null) {
                KeyStore own = KeyStore.getInstance("PKCS12");
                own.load(null, null);
                own.setKeyEntry("me", client.key(), new char[0], new Certificate[] {client.certificate()});
                KeyManagerFactory factory = KeyManagerFactory.getInstance("NewSunX509");
                factory.init(own, new char[0]);
                keys = factory.getKeyManagers();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static HttpClient client(ScriptedCluster cluster, HttpClient.Version version) {
        return HttpClient.newBuilder()
                .sslContext(context(cluster.keys.authority().certificate(), null))
                .version(version)
                .build();
    }

    /** A raw TLS connection for hand-written HTTP/1.1. */
    static SSLSocket socket(ScriptedCluster cluster, InetSocketAddress address) throws IOException {
        SSLSocket socket = (SSLSocket) context(cluster.keys.authority().certificate(), null)
                .getSocketFactory()
                .createSocket(address.getAddress(), address.getPort());
        socket.setSoTimeout(10_000);
        socket.startHandshake();
        return socket;
    }
}
