package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Reaches every bound of {@link ListenerLimits}. */
class ListenerLimitsTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final ScriptedCluster cluster = new ScriptedCluster("a");
    private Listener listener = new Listener(Listener.Options.loopback());
    private InetSocketAddress address = new InetSocketAddress(0);

    /** Small and patient, so that each test shortens or narrows what it is about. */
    private static final class Limits {
        int body = 100_000;
        long clusterBodies = 1_000_000;
        long bodies = 2_000_000;
        int inFlight = 50;
        int clusterInFlight = 40;
        int longRunning = 40;
        int clusterConnections = 40;
        int connections = 50;
        int watchBytes = 100_000;
        Duration request = LONG;
        Duration watch = LONG;
        Duration handshake = LONG;
        Duration head = LONG;
        Duration idle = LONG;
        Duration stall = LONG;
        Duration streamStall = LONG;
        Duration grace = Duration.ofSeconds(5);

        ListenerLimits build() {
            return new ListenerLimits(
                    body,
                    clusterBodies,
                    bodies,
                    4096,
                    8192,
                    inFlight,
                    clusterInFlight,
                    longRunning,
                    clusterConnections,
                    connections,
                    20,
                    watchBytes,
                    50_000,
                    50_000,
                    request,
                    watch,
                    handshake,
                    head,
                    idle,
                    stall,
                    streamStall,
                    grace);
        }
    }

    private void serve(Limits limits) {
        listener.close();
        listener = new Listener(Listener.Options.loopback().withLimits(limits.build()));
        address = listener.addCluster(cluster, 0, cluster.keys.tls(), Set.of());
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private HttpRequest.Builder request(String target) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + address.getPort() + target));
    }

    private String raw(String request) throws IOException {
        try (SSLSocket socket = TestTls.socket(cluster, address)) {
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private Listener.Activity activity() {
        return listener.activity(cluster.tenant()).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "GET /%zz HTTP/1.1,400",
        "GET /%ff HTTP/1.1,400",
        "GET /a/../b HTTP/1.1,400",
        "GET relative HTTP/1.1,400",
        "GET /x?a=%2 HTTP/1.1,400",
        "GET /x?timeout=soon HTTP/1.1,400",
        "BROKEN,400"
    })
    void malformedRequestsAreBadRequests(String line, int status) throws IOException {
        serve(new Limits());
        assertThat(raw(line + "\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status)
                .contains("\"kind\":\"Status\"");
    }

    @Test
    void theRequestLineAndHeadersAreBounded() throws IOException {
        serve(new Limits());
        assertThat(raw("GET /" + "a".repeat(5000) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 414");
        assertThat(raw("GET / HTTP/1.1\r\nHost: x\r\nA: " + "a".repeat(9000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431");
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void bodiesAreBounded(HttpClient.Version version) throws Exception {
        serve(new Limits());
        AtomicInteger handled = new AtomicInteger();
        cluster.script = request -> {
            handled.set(request.body().length);
            return ApiResponse.Full.of(200, "application/json", "{}".getBytes(UTF_8));
        };
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<String> fits = client.send(
                    request("/")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[100_000]))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(fits.statusCode()).isEqualTo(200);
            assertThat(handled.get()).isEqualTo(100_000);
            HttpResponse<String> tooLarge = client.send(
                    request("/")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[100_001]))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(tooLarge.statusCode()).isEqualTo(413);
            assertThat(tooLarge.body())
                    .contains("\"reason\":\"RequestEntityTooLarge\"", "Request entity too large: limit is 100000");
        }
        assertThat(raw("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + "C350\r\n"
                        + "a".repeat(50_000) + "\r\n" + "C351\r\n" + "a".repeat(50_001) + "\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 413");
        eventually(() -> activity().bodyBytes() == 0 && activity().inFlight() == 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bodiesTogetherAreBounded(boolean ofAllClusters) throws Exception {
        Limits limits = new Limits();
        if (ofAllClusters) {
            limits.bodies = 150_000;
        } else {
            limits.clusterBodies = 150_000;
        }
        serve(limits);
        HttpRequest second = request("/")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[100_000]))
                .build();
        try (HttpClient client = TestTls.client(cluster, HttpClient.Version.HTTP_1_1)) {
            try (SSLSocket first = TestTls.socket(cluster, address)) {
                String head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n";
                first.getOutputStream().write((head + "a".repeat(99_000)).getBytes(UTF_8));
                eventually(() -> activity().bodyBytes() == 100_000);
                assertThat(client.send(second, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(429);
            }
            eventually(() -> activity().bodyBytes() == 0);
            assertThat(client.send(second, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    /** Requests that wait for {@code release}; returns once all are being handled. */
    private List<Thread> occupy(HttpClient client, int count, CountDownLatch release) {
        AtomicInteger running = new AtomicInteger();
        cluster.script = _ -> {
            running.incrementAndGet();
            await(release);
            return ApiResponse.Full.of(200, "application/json", "{}".getBytes(UTF_8));
        };
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    client.send(request("/").build(), HttpResponse.BodyHandlers.discarding());
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        eventually(() -> running.get() == count);
        return threads;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void oneClustersRequestsDoNotStarveAnother(HttpClient.Version version) throws Exception {
        Limits limits = new Limits();
        limits.clusterInFlight = 4;
        serve(limits);
        ScriptedCluster other = new ScriptedCluster("b");
        InetSocketAddress otherAddress = listener.addCluster(other, 0, other.keys.tls(), Set.of());
        CountDownLatch release = new CountDownLatch(1);
        try (HttpClient client = TestTls.client(cluster, version);
                HttpClient otherClient = TestTls.client(other, version)) {
            List<Thread> busy = occupy(client, 4, release);
            HttpResponse<String> refused = client.send(request("/").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("retry-after")).hasValue("1");
            assertThat(refused.body()).contains("\"reason\":\"TooManyRequests\"", "\"retryAfterSeconds\":1");
            HttpRequest toOther = HttpRequest.newBuilder(
                            URI.create("https://127.0.0.1:" + otherAddress.getPort() + "/"))
                    .build();
            assertThat(otherClient
                            .send(toOther, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            release.countDown();
            for (Thread thread : busy) {
                thread.join();
            }
            eventually(() -> activity().inFlight() == 0);
            assertThat(client.send(request("/").build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void requestsOfAllClustersAreBounded() throws Exception {
        Limits limits = new Limits();
        limits.inFlight = 2;
        serve(limits);
        CountDownLatch release = new CountDownLatch(1);
        try (HttpClient client = TestTls.client(cluster, HttpClient.Version.HTTP_1_1)) {
            List<Thread> busy = occupy(client, 2, release);
            assertThat(client.send(request("/").build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(429);
            release.countDown();
            for (Thread thread : busy) {
                thread.join();
            }
        }
    }

    @Test
    void watchesAreBounded() throws Exception {
        Limits limits = new Limits();
        limits.longRunning = 1;
        serve(limits);
        cluster.script = _ -> new ApiResponse.Watch("application/json", sink -> sink.offer("1\n".getBytes(UTF_8)));
        try (HttpClient client = TestTls.client(cluster, HttpClient.Version.HTTP_2)) {
            HttpResponse<InputStream> first =
                    client.send(request("/?watch=1").build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(activity().inFlight()).isZero();
            assertThat(client.send(request("/?watch=1").build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(429);
            first.body().close();
            eventually(() -> activity().longRunning() == 0);
        }
    }

    @Test
    void connectionsOfAClusterAreBounded() throws Exception {
        Limits limits = new Limits();
        limits.clusterConnections = 1;
        serve(limits);
        try (SSLSocket first = TestTls.socket(cluster, address)) {
            assertThat(first.isConnected()).isTrue();
            assertThat(handshakeFails()).isTrue();
        }
        eventually(() -> activity().connections() == 0);
        assertThat(handshakeFails()).isFalse();
    }

    @Test
    void connectionsAreBounded() throws Exception {
        Limits limits = new Limits();
        limits.connections = 1;
        serve(limits);
        try (SSLSocket first = TestTls.socket(cluster, address)) {
            assertThat(first.isConnected()).isTrue();
            assertThat(handshakeFails()).isTrue();
        }
    }

    private boolean handshakeFails() {
        try (SSLSocket socket = TestTls.socket(cluster, address)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aRequestPastItsDeadlineIsATimeout(HttpClient.Version version) throws Exception {
        serve(new Limits());
        CountDownLatch release = new CountDownLatch(1);
        cluster.script = _ -> {
            await(release);
            return ApiResponse.Full.of(200, "application/json", "{}".getBytes(UTF_8));
        };
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<String> late =
                    client.send(request("/?timeout=250ms").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(late.statusCode()).isEqualTo(504);
            assertThat(late.body()).contains("\"reason\":\"Timeout\"");
            // still running, so it still counts
            assertThat(activity().inFlight()).isEqualTo(1);
            release.countDown();
            eventually(() -> activity().inFlight() == 0);
        }
    }

    @Test
    void aBodyThatTricklesInIsCut() throws Exception {
        Limits limits = new Limits();
        limits.request = SHORT;
        serve(limits);
        assertThat(raw("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc"))
                .startsWith("HTTP/1.1 408");
        eventually(() -> activity().inFlight() == 0 && activity().bodyBytes() == 0);
    }

    @Test
    void aWatchEndsByItself() throws Exception {
        Limits limits = new Limits();
        limits.watch = SHORT;
        serve(limits);
        cluster.script = _ -> new ApiResponse.Watch("application/json", sink -> sink.offer("1\n".getBytes(UTF_8)));
        try (HttpClient client = TestTls.client(cluster, HttpClient.Version.HTTP_2)) {
            assertThat(client.send(request("/?watch=1").build(), HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("1\n");
        }
    }

    @Test
    void slowHandshakesHeadsAndIdleConnectionsAreCut() throws Exception {
        Limits limits = new Limits();
        limits.handshake = SHORT;
        limits.head = SHORT;
        limits.idle = SHORT;
        serve(limits);
        try (Socket mute = new Socket(address.getAddress(), address.getPort())) {
            mute.setSoTimeout(10_000);
            assertThat(mute.getInputStream().read()).isEqualTo(-1);
        }
        try (SSLSocket dribbling = TestTls.socket(cluster, address)) {
            dribbling.getOutputStream().write("GET / HTTP/1.1\r\nHos".getBytes(UTF_8));
            assertThat(dribbling.getInputStream().read()).isEqualTo(-1);
        }
        try (SSLSocket idle = TestTls.socket(cluster, address)) {
            idle.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
            assertThat(new String(idle.getInputStream().readAllBytes(), UTF_8)).startsWith("HTTP/1.1 200");
        }
        try (HttpClient http2 = TestTls.client(cluster, HttpClient.Version.HTTP_2)) {
            assertThat(http2.send(request("/").build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            eventually(() -> activity().connections() == 0);
        }
    }

    @Test
    void aReaderThatTakesNothingIsCut() throws Exception {
        Limits limits = new Limits();
        limits.stall = SHORT;
        serve(limits);
        byte[] part = new byte[1_000_000];
        cluster.script =
                _ -> new ApiResponse.Full(200, "application/json", Map.of(), java.util.Collections.nCopies(64, part));
        try (SSLSocket lazy = TestTls.socket(cluster, address)) {
            lazy.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
            assertThat(lazy.getInputStream().read()).isEqualTo('H');
            eventually(() -> activity().connections() == 0 && activity().inFlight() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aLogsReaderMayPauseForLonger(HttpClient.Version version) throws Exception {
        Limits limits = new Limits();
        limits.stall = Duration.ofMillis(1);
        limits.streamStall = SHORT;
        serve(limits);
        BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        cluster.script = _ -> new ApiResponse.Stream("text/plain", sink -> {
            try {
                while (true) {
                    sink.write(new byte[100_000]);
                }
            } catch (IOException e) {
                ends.add(String.valueOf(e.getMessage()));
                throw e;
            }
        });
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<InputStream> response =
                    client.send(request("/log").build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(ends.poll(10, TimeUnit.SECONDS)).isEqualTo("the reader took nothing for 300 ms");
            response.body().close();
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aWatchWhoseReaderIsTooFarBehindIsClosed(HttpClient.Version version) throws Exception {
        serve(new Limits());
        BlockingQueue<Integer> accepted = new LinkedBlockingQueue<>();
        CountDownLatch closed = new CountDownLatch(1);
        cluster.script = _ -> new ApiResponse.Watch("application/json", sink -> {
            sink.onClose(closed::countDown);
            Thread.startVirtualThread(() -> {
                byte[] event = new byte[10_000];
                int count = 0;
                while (sink.offer(event)) {
                    count++;
                }
                accepted.add(count);
            });
        });
        try (HttpClient client = TestTls.client(cluster, version)) {
            HttpResponse<InputStream> response =
                    client.send(request("/?watch=1").build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(accepted.poll(20, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(10);
            assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
            response.body().close();
        }
    }

    @Test
    void http2StreamsAreBounded() throws Exception {
        serve(new Limits());
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        cluster.script = _ -> {
            running.incrementAndGet();
            await(release);
            return ApiResponse.Full.of(200, "application/json", "{}".getBytes(UTF_8));
        };
        try (HttpClient client = TestTls.client(cluster, HttpClient.Version.HTTP_2)) {
            // the first exchange makes sure that there is one connection, and that its settings are known
            cluster.script = _ -> ApiResponse.Full.of(200, "application/json", "{}".getBytes(UTF_8));
            client.send(request("/").build(), HttpResponse.BodyHandlers.discarding());
            List<Thread> busy = occupy(client, 20, release);
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> client.send(request("/").build(), HttpResponse.BodyHandlers.ofString())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("too many concurrent streams");
            release.countDown();
            for (Thread thread : busy) {
                thread.join();
            }
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        serve(new Limits());
        cluster.script = request -> ApiResponse.Full.of(200, "text/plain", (request.path() + "\n").getBytes(UTF_8));
        String answers =
                raw("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                        + "GET /3 HTTP/1.1\r\nHost: x\r\n\r\nGET /4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(answers.lines().filter(line -> line.startsWith("/"))).containsExactly("/1", "/2", "/3", "/4");
    }

    @Test
    void aClientThatExpectsContinueIsToldToGoOnOrNot() throws IOException {
        serve(new Limits());
        try (SSLSocket socket = TestTls.socket(cluster, address)) {
            OutputStream out = socket.getOutputStream();
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            out.write(
                    "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n".getBytes(UTF_8));
            assertThat(in.readLine()).isEqualTo("HTTP/1.1 100 Continue");
            assertThat(in.readLine()).isEmpty();
            out.write("{}".getBytes(UTF_8));
            assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
        }
        assertThat(raw("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 200000\r\n\r\n"))
                .startsWith("HTTP/1.1 413");
    }

    @Test
    void oldClientsAndPlainHttpGetAnAnswer() throws IOException {
        serve(new Limits());
        assertThat(raw("GET / HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200").endsWith("{}");
        cluster.script = _ -> new ApiResponse.Stream("text/plain", sink -> sink.write("log".getBytes(UTF_8)));
        assertThat(raw("GET / HTTP/1.0\r\n\r\n")).doesNotContain("chunked").endsWith("\r\n\r\nlog");
        try (Socket plain = new Socket(address.getAddress(), address.getPort())) {
            plain.setSoTimeout(10_000);
            plain.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
            assertThat(new String(plain.getInputStream().readAllBytes(), UTF_8))
                    .contains("Client sent an HTTP request to an HTTPS server.");
        }
    }

    @Test
    void aRemovedClusterFinishesWhatItHasAndTakesNothingNew() throws Exception {
        serve(new Limits());
        CountDownLatch release = new CountDownLatch(1);
        try (HttpClient client = TestTls.client(cluster, HttpClient.Version.HTTP_2)) {
            List<Thread> busy = occupy(client, 3, release);
            Thread removal = Thread.startVirtualThread(() -> listener.removeCluster(cluster.tenant()));
            eventually(() -> listener.activity(cluster.tenant()).isEmpty());
            release.countDown();
            for (Thread thread : busy) {
                thread.join();
            }
            removal.join();
        }
        assertThat(handshakeFails()).isTrue();
    }

    @Test
    void whatDoesNotFinishInTimeIsCut() throws Exception {
        Limits limits = new Limits();
        limits.grace = SHORT;
        serve(limits);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        cluster.script = _ -> {
            started.countDown();
            await(release);
            return ApiResponse.Full.of(200, "application/json", "{}".getBytes(UTF_8));
        };
        try (SSLSocket stuck = TestTls.socket(cluster, address)) {
            stuck.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
            await(started);
            listener.removeCluster(cluster.tenant());
            assertThat(stuck.getInputStream().read()).isEqualTo(-1);
            release.countDown();
        }
    }
}
