package io.atoll.client.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.atoll.client.Kubeconfig;
import io.atoll.client.Transport;
import io.atoll.model.ApiException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HttpTransportTest {
    private static final byte[] NONE = {};

    private HttpsServer server = start();
    private volatile HttpHandler handler = exchange -> answer(exchange, 200, "{}");

    private static HttpsServer start() {
        try {
            return HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void serve() {
        SSLContext context = ClientTls.context(new Credentials(
                "test", resource("ca.crt"), resource("server.crt"), resource("server.key"), "", "", false));
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setWantClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> handler.handle(exchange));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length());
            exchange.getResponseBody().write(body.getBytes(UTF_8));
        }
    }

    static String resource(String name) {
        try (InputStream in = HttpTransportTest.class.getResourceAsStream(name)) {
            return new String(java.util.Objects.requireNonNull(in).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    private Credentials credentials() {
        return new Credentials(url(), resource("ca.crt"), "", "", "", "", false);
    }

    @Test
    void sendsBodyHeadersAndToken() {
        BlockingQueue<List<String>> seen = new LinkedBlockingQueue<>();
        handler = exchange -> {
            seen.add(List.of(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
            answer(exchange, 422, "{\"kind\":\"Status\"}");
        };
        Credentials withToken = new Credentials(url() + "/prefix/", resource("ca.crt"), "", "", "secret", "", false);
        try (HttpTransport transport = new HttpTransport(withToken)) {
            Transport.Response response = transport.send(new Transport.Request(
                    "PATCH",
                    "/api/v1/pods?x=a%20b",
                    Map.of("Content-Type", "application/merge-patch+json"),
                    "{}".getBytes(UTF_8)));
            assertThat(response.status()).isEqualTo(422);
            assertThat(response.contentType()).isEqualTo("application/json");
            assertThat(new String(response.body(), UTF_8)).isEqualTo("{\"kind\":\"Status\"}");
        }
        assertThat(seen.poll())
                .containsExactly(
                        "PATCH", "/prefix/api/v1/pods?x=a%20b", "Bearer secret", "application/merge-patch+json", "{}");
    }

    @Test
    void showsItsClientCertificate() {
        handler = exchange -> {
            Principal peer = ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal();
            answer(exchange, 200, peer.getName());
        };
        Credentials withCertificate = new Credentials(
                url(), resource("ca.crt"), resource("client.crt"), resource("client.key"), "", "", false);
        try (HttpTransport transport = new HttpTransport(withCertificate)) {
            Transport.Response response = transport.send(new Transport.Request("GET", "/", Map.of(), NONE));
            assertThat(new String(response.body(), UTF_8)).isEqualTo("CN=rsa-client,O=group");
        }
    }

    @Test
    void deliversEventsThenTheEnd() throws Exception {
        handler = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write("{\"a\":1}\n{\"b\"".getBytes(UTF_8));
                out.flush();
                out.write(":2}\n".getBytes(UTF_8));
            }
        };
        Events events = new Events();
        try (HttpTransport transport = new HttpTransport(credentials())) {
            transport.watch(new Transport.Request("GET", "/api/v1/pods?watch=1", Map.of(), NONE), events);
            assertThat(events.next()).isEqualTo("{\"a\":1}");
            assertThat(events.next()).isEqualTo("{\"b\":2}");
            assertThat(events.next()).isEqualTo("END");
        }
    }

    @Test
    void aClosedWatchDeliversNothingMore() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        handler = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write("1\n".getBytes(UTF_8));
                out.flush();
                release.await();
                out.write("2\n".getBytes(UTF_8));
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
        Events events = new Events();
        try (HttpTransport transport = new HttpTransport(credentials())) {
            Transport.Stream stream =
                    transport.watch(new Transport.Request("GET", "/?watch=1", Map.of(), NONE), events);
            assertThat(events.next()).isEqualTo("1");
            stream.close();
            release.countDown();
        }
        assertThat(events.queue).isEmpty();
    }

    @Test
    void requestsBeyondTheBoundWait() throws Exception {
        Semaphore arrived = new Semaphore(0);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        handler = exchange -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            arrived.release();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            running.decrementAndGet();
            answer(exchange, 200, "{}");
        };
        try (HttpTransport transport = new HttpTransport(credentials());
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> statuses = new ArrayList<>();
            for (int i = 0; i < 2 * HttpTransport.REQUESTS_IN_FLIGHT_MAX; i++) {
                statuses.add(callers.submit(() -> transport
                        .send(new Transport.Request("GET", "/", Map.of(), NONE))
                        .status()));
            }
            assertThat(arrived.tryAcquire(HttpTransport.REQUESTS_IN_FLIGHT_MAX, 20, TimeUnit.SECONDS))
                    .isTrue();
            release.countDown();
            for (Future<Integer> status : statuses) {
                assertThat(status.get()).isEqualTo(200);
            }
            assertThat(most.get()).isEqualTo(HttpTransport.REQUESTS_IN_FLIGHT_MAX);
        }
    }

    @Test
    void aRefusedWatchIsAnApiException() {
        handler = exchange -> answer(
                exchange,
                410,
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"too old\","
                        + "\"reason\":\"Expired\",\"code\":410}");
        try (HttpTransport transport = new HttpTransport(credentials())) {
            assertThatThrownBy(() ->
                            transport.watch(new Transport.Request("GET", "/?watch=1", Map.of(), NONE), new Events()))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.code()).isEqualTo(410))
                    .hasMessageContaining("too old");
        }
    }

    @Test
    void whatCannotBeReachedIsNamed() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Credentials nowhere = new Credentials("https://127.0.0.1:" + port, resource("ca.crt"), "", "", "", "", false);
        try (HttpTransport transport = new HttpTransport(nowhere)) {
            assertThatThrownBy(() -> transport.send(new Transport.Request("GET", "/", Map.of(), NONE)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("cannot reach https://127.0.0.1:" + port + ": connection refused");
        }
    }

    @Test
    void trustsOnlyTheGivenAuthorityAndName() {
        Credentials wrongAuthority = new Credentials(url(), resource("other-ca.crt"), "", "", "", "", false);
        Credentials wrongName = new Credentials(url(), resource("ca.crt"), "", "", "", "no.example", false);
        for (Credentials wrong : List.of(wrongAuthority, wrongName)) {
            try (HttpTransport transport = new HttpTransport(wrong)) {
                assertThatThrownBy(() -> transport.send(new Transport.Request("GET", "/", Map.of(), NONE)))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageStartingWith("cannot talk to " + url() + " securely: ");
            }
        }
        Credentials rightName = new Credentials(url(), resource("ca.crt"), "", "", "", "api.example", false);
        Credentials wildcard = new Credentials(url(), resource("ca.crt"), "", "", "", "a.wild.example", false);
        Credentials insecure = new Credentials(url(), "", "", "", "", "", true);
        for (Credentials right : List.of(rightName, wildcard, insecure)) {
            try (HttpTransport transport = new HttpTransport(right)) {
                assertThat(transport
                                .send(new Transport.Request("GET", "/", Map.of(), NONE))
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void readsCredentialsOfAKubeconfig(@TempDir Path folder) throws IOException {
        Path key = Files.writeString(folder.resolve("client.key"), resource("client.key"));
        Kubeconfig config = Kubeconfig.parse("""
                current-context: here
                contexts:
                - name: here
                  context: {cluster: c, user: u}
                clusters:
                - name: c
                  cluster:
                    server: https://127.0.0.1:6443
                    tls-server-name: api.example
                    certificate-authority-data: Y2E=
                users:
                - name: u
                  user:
                    client-key: %s
                    token: secret
                """.formatted(key));
        Credentials credentials = Credentials.of(config);
        assertThat(credentials)
                .isEqualTo(new Credentials(
                        "https://127.0.0.1:6443", "ca", "", resource("client.key"), "secret", "api.example", false));
        assertThat(credentials.toString()).doesNotContain("secret");
        assertThatThrownBy(() -> Credentials.of(config, "there")).hasMessage("the kubeconfig has no context there");
    }

    private static final class Events implements Transport.WatchSink {
        final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

        String next() throws InterruptedException {
            return String.valueOf(queue.poll(10, TimeUnit.SECONDS));
        }

        @Override
        public void onEvent(byte[] event) {
            queue.add(new String(event, UTF_8));
        }

        @Override
        public void onEnd() {
            queue.add("END");
        }
    }
}
