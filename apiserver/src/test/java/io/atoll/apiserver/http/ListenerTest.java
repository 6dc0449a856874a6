package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.model.ApiException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The same over HTTP/1.1 and HTTP/2, BoringSSL and the JDK's TLS. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class ListenerTest {
    @Parameter
    boolean forceJdkTls;

    private final ScriptedCluster cluster = new ScriptedCluster("a");
    private Listener listener = new Listener(Listener.Options.loopback());
    private InetSocketAddress address = new InetSocketAddress(0);

    @BeforeEach
    void open() {
        listener.close();
        Listener.Options options = Listener.Options.loopback();
        listener = new Listener(new Listener.Options(
                options.address(), options.eventLoops(), options.limits(), options.clock(), forceJdkTls));
        address = listener.addCluster(cluster, 0, cluster.keys.tls(), Set.of("a.example"));
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private HttpRequest.Builder request(String target) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + address.getPort() + target));
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void handsOverTheRequestAndWritesTheAnswer(HttpClient.Version version) throws Exception {
        AtomicReference<ApiRequest> seen = new AtomicReference<>();
        cluster.script = request -> {
            seen.set(request);
            return new ApiResponse.Full(
                    201,
                    "application/json",
                    Map.of("Warning", "299 - \"one\"\n299 - \"two\""),
                    List.of("{\"a\":".getBytes(UTF_8), "1}".getBytes(UTF_8)));
        };
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<String> response = client.send(
                    request("/api/v1/namespaces/d%C3%A9/pods?labelSelector=a%3Db%2Cc&x=1&x=2&flag")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"kind\":\"Pod\"}"))
                            .header("Authorization", "Bearer secret")
                            .header("X-Remote-User", "root")
                            .header("Impersonate-Group", "a,b")
                            .header("Impersonate-Group", "c")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(201);
            assertThat(response.version()).isEqualTo(version);
            assertThat(response.body()).isEqualTo("{\"a\":1}");
            assertThat(response.headers().allValues("warning")).containsExactly("299 - \"one\"", "299 - \"two\"");
            assertThat(response.headers().firstValue("date")).isPresent();
            assertThat(seen.get().method()).isEqualTo("POST");
            assertThat(seen.get().path()).isEqualTo("/api/v1/namespaces/dé/pods");
            assertThat(seen.get().query())
                    .isEqualTo(Map.of("labelSelector", List.of("a=b,c"), "x", List.of("1", "2"), "flag", List.of("")));
            assertThat(new String(seen.get().body(), UTF_8)).isEqualTo("{\"kind\":\"Pod\"}");
            assertThat(seen.get().headers())
                    .doesNotContainKeys("authorization", "x-remote-user")
                    .containsEntry("impersonate-group", "a,b\nc");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void writesBigAnswersWholeAndCompressedWhenAsked(HttpClient.Version version) throws Exception {
        byte[] segment = "0123456789abcdef".repeat(1000).getBytes(UTF_8);
        List<byte[]> segments = java.util.Collections.nCopies(200, segment);
        cluster.script = _ -> new ApiResponse.Full(200, "application/json", Map.of(), segments);
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<byte[]> plain = client.send(request("/big").build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(plain.body()).hasSize(3_200_000);
            assertThat(plain.headers().firstValue("content-length")).hasValue("3200000");

            HttpResponse<byte[]> packed = client.send(
                    request("/big").header("Accept-Encoding", "gzip").build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(packed.headers().firstValue("content-encoding")).hasValue("gzip");
            assertThat(packed.body().length).isLessThan(100_000);
            try (InputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
                assertThat(unpacked.readAllBytes()).isEqualTo(plain.body());
            }
            HttpResponse<byte[]> head = client.send(
                    request("/big")
                            .method("HEAD", HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            assertThat(head.headers().firstValue("content-length")).hasValue("3200000");
            assertThat(head.body()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void failuresAreStatusObjects(HttpClient.Version version) throws Exception {
        try (HttpClient client = TestTls.client(cluster, version)) {
            cluster.script = _ -> {
                throw new IllegalStateException("broken");
            };
            HttpResponse<String> internal = client.send(request("/x").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(internal.statusCode()).isEqualTo(500);
            assertThat(internal.body()).contains("\"kind\":\"Status\"", "\"reason\":\"InternalError\"", "broken");

            cluster.authenticator = (_, _) -> java.util.Optional.empty();
            HttpResponse<String> unauthorized =
                    client.send(request("/x").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(unauthorized.statusCode()).isEqualTo(401);
            assertThat(unauthorized.body()).contains("\"reason\":\"Unauthorized\"", "\"code\":401");

            HttpResponse<String> dots =
                    client.send(request("/api/%2e%2e/secret").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(dots.statusCode()).isEqualTo(400);
            assertThat(dots.body()).contains("\"reason\":\"BadRequest\"");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void pushesWatchEventsAndEndsTheWatchInGoodOrder(HttpClient.Version version) throws Exception {
        AtomicReference<ApiResponse.WatchSink> sink = new AtomicReference<>();
        java.util.concurrent.CountDownLatch closed = new java.util.concurrent.CountDownLatch(1);
        cluster.script = _ -> new ApiResponse.Watch("application/json", given -> {
            given.onClose(closed::countDown);
            given.offer("{\"type\":\"ADDED\"}\n".getBytes(UTF_8));
            sink.set(given);
        });
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<InputStream> response =
                    client.send(request("/api/v1/pods?watch=1").build(), HttpResponse.BodyHandlers.ofInputStream());
            try (var lines = new java.io.BufferedReader(new java.io.InputStreamReader(response.body(), UTF_8))) {
                assertThat(lines.readLine()).isEqualTo("{\"type\":\"ADDED\"}");
                assertThat(sink.get().offer("{\"type\":\"MODIFIED\"}\n".getBytes(UTF_8)))
                        .isTrue();
                assertThat(lines.readLine()).isEqualTo("{\"type\":\"MODIFIED\"}");
                listener.removeCluster(cluster.tenant());
                assertThat(lines.readLine()).isNull();
                closed.await();
                assertThat(sink.get().offer(new byte[1])).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void endsAWatchAtItsTimeout(HttpClient.Version version) throws Exception {
        cluster.script = _ -> new ApiResponse.Watch("application/json", sink -> sink.offer("x\n".getBytes(UTF_8)));
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<String> response = client.send(
                    request("/api/v1/pods?watch=1&timeoutSeconds=1").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.body()).isEqualTo("x\n");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void streamsWhatAProducerWrites(HttpClient.Version version) throws Exception {
        cluster.script = _ -> new ApiResponse.Stream("text/plain", sink -> {
            for (int i = 0; i < 1000; i++) {
                sink.write("0123456789".repeat(100).getBytes(UTF_8));
            }
        });
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<String> response = client.send(request("/log").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.body()).hasSize(1_000_000);

            cluster.script = _ -> new ApiResponse.Stream("text/plain", _ -> {
                throw ApiException.badRequest("container \"x\" is not valid");
            });
            HttpResponse<String> refused = client.send(request("/log").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("is not valid");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void noticesThatTheReaderHasGone(HttpClient.Version version) throws Exception {
        java.util.concurrent.CountDownLatch gone = new java.util.concurrent.CountDownLatch(1);
        cluster.script = _ -> new ApiResponse.Stream("text/plain", sink -> {
            sink.write("first\n".getBytes(UTF_8));
            sink.onClose(gone::countDown);
            try {
                gone.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<InputStream> response =
                    client.send(request("/log?follow=true").build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.body().readNBytes(6)).isEqualTo("first\n".getBytes(UTF_8));
            response.body().close();
            assertThat(gone.await(10, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.example", "other.example"})
    void choosesTheClusterByServerName(String name) throws Exception {
        ScriptedCluster other = new ScriptedCluster("b");
        other.script = _ -> ApiResponse.Full.of(200, "text/plain", "b".getBytes(UTF_8));
        cluster.script = _ -> ApiResponse.Full.of(200, "text/plain", "a".getBytes(UTF_8));
        listener.addCluster(other, other.keys.tls(), Set.of("b.example"));
        boolean toB = name.equals("other.example");
        ScriptedCluster expected = toB ? other : cluster;
        var context = TestTls.context(expected.keys.authority().certificate(), null);
        try (var socket = (javax.net.ssl.SSLSocket)
                context.getSocketFactory().createSocket(address.getAddress(), address.getPort())) {
            var parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new javax.net.ssl.SNIHostName(toB ? "b.example" : name)));
            socket.setSSLParameters(parameters);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .endsWith(toB ? "b" : "a");
        }
    }

    @org.junit.jupiter.api.Test
    void aPortInUseIsNamed() {
        ScriptedCluster other = new ScriptedCluster("b");
        assertThatThrownBy(() -> listener.addCluster(other, address.getPort(), other.keys.tls(), Set.of()))
                .isInstanceOf(ListenException.class)
                .hasMessageContaining("port " + address.getPort() + " is already in use");
        assertThat(listener.activity(other.tenant())).isEmpty();
    }
}
