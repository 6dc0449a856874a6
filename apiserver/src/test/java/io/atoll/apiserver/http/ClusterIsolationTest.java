package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.authn.ClusterAuthenticator;
import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.authn.TokenSpec;
import io.atoll.apiserver.pki.CertificateAuthority;
import io.atoll.apiserver.pki.KeyedCertificate;
import io.atoll.model.GroupResource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Two clusters behind one listener: what is good in one is refused by the other. */
class ClusterIsolationTest {
    private static final Duration DAY = Duration.ofDays(1);

    private final Listener listener = new Listener(Listener.Options.loopback());

    private final class Tenant {
        final ScriptedCluster cluster;
        final ServiceAccountTokens tokens;
        final InetSocketAddress address;

        Tenant(String name) {
            cluster = new ScriptedCluster(name);
            InstantSource clock = InstantSource.system();
            tokens = new ServiceAccountTokens(
                    "https://" + name, cluster.keys.serviceAccount(), List.of(), new EverythingExists(), clock);
            cluster.authenticator =
                    new ClusterAuthenticator(List.of(cluster.keys.authority().certificate()), tokens, clock);
            cluster.script = request -> ApiResponse.Full.of(
                    200, "text/plain", (name + " " + request.user().name()).getBytes(UTF_8));
            address = listener.addCluster(cluster, 0, cluster.keys.tls(), Set.of(name + ".example"));
        }

        String token() {
            TokenSpec.ObjectIdentity account = new TokenSpec.ObjectIdentity("default", "uid");
            return tokens.issue(TokenSpec.of("default", account, List.of(), DAY))
                    .token();
        }

        KeyedCertificate admin() {
            return cluster.keys.authority().issueClient("admin", List.of("system:masters"), DAY);
        }

        HttpResponse<String> get(HttpClient.Version version, @Nullable KeyedCertificate client, @Nullable String token)
                throws Exception {
            try (HttpClient http = HttpClient.newBuilder()
                    .version(version)
                    .sslContext(TestTls.context(cluster.keys.authority().certificate(), client))
                    .build()) {
                HttpRequest.Builder request =
                        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + address.getPort() + "/api"));
                if (token != null) {
                    request.header("Authorization", "Bearer " + token);
                }
                return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            }
        }
    }

    /** Service accounts with the UID {@code uid}. */
    private static final class EverythingExists implements ObjectReader {
        @Override
        public Optional<byte[]> get(GroupResource resource, String namespace, String name) {
            return Optional.of("{\"metadata\":{\"uid\":\"uid\"}}".getBytes(UTF_8));
        }

        @Override
        public List<byte[]> list(GroupResource resource, String namespace) {
            return List.of();
        }

        @Override
        public Registration subscribe(GroupResource resource, ObjectReader.Listener listener) {
            return () -> {};
        }
    }

    @AfterEach
    void close() {
        listener.close();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void credentialsAreGoodInTheirOwnClusterOnly(HttpClient.Version version) throws Exception {
        Tenant a = new Tenant("a");
        Tenant b = new Tenant("b");
        assertThat(a.get(version, a.admin(), null).body()).isEqualTo("a admin");
        assertThat(a.get(version, null, a.token()).body()).isEqualTo("a system:serviceaccount:default:default");
        assertThat(a.get(version, null, null).body()).isEqualTo("a system:anonymous");
        assertThat(b.get(version, a.admin(), null).statusCode()).isEqualTo(401);
        assertThat(b.get(version, null, a.token()).statusCode()).isEqualTo(401);
        assertThat(b.get(version, a.admin(), a.token()).statusCode()).isEqualTo(401);
        assertThat(b.get(version, a.admin(), b.token()).body()).isEqualTo("b system:serviceaccount:default:default");
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aRotatedCertificateIsShownFromTheNextHandshakeOn(HttpClient.Version version) throws Exception {
        Tenant a = new Tenant("a");
        assertThat(a.get(version, null, null).statusCode()).isEqualTo(200);
        CertificateAuthority stranger = CertificateAuthority.create("stranger", InstantSource.system());
        KeyedCertificate serving = stranger.issueServer("x", io.atoll.apiserver.pki.SubjectNames.standard(), DAY);
        listener.rotate(a.cluster.tenant(), new TlsMaterial(List.of(serving.certificate()), serving.key()));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> a.get(version, null, null)))
                .isInstanceOf(IOException.class);
    }
}
