package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.ApiResponse.CommandBody;
import io.atoll.apiserver.ApiResponse.Session;
import io.atoll.model.ApiException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Exec and attach as clients see them, with the JDK's WebSocket client. */
class RemoteCommandTest {
    private final ScriptedCluster cluster = new ScriptedCluster("a");
    private final Listener listener = new Listener(Listener.Options.loopback());
    private final HttpClient client = TestTls.client(cluster, HttpClient.Version.HTTP_1_1);
    private InetSocketAddress address = new InetSocketAddress(0);

    @BeforeEach
    void open() {
        address = listener.addCluster(cluster, 0, cluster.keys.tls(), Set.of());
    }

    @AfterEach
    void close() {
        client.close();
        listener.close();
    }

    private void script(CommandBody body) {
        cluster.script = _ -> new ApiResponse.Upgrade(new Session.Command(body, true, true, true, false));
    }

    private URI uri(String scheme) {
        return URI.create(scheme + "://127.0.0.1:" + address.getPort() + "/api/v1/namespaces/a/pods/b/exec?command=c");
    }

    private Frames connect(String protocol) throws Exception {
        Frames frames = new Frames();
        frames.socket = client.newWebSocketBuilder()
                .subprotocols(protocol)
                .buildAsync(uri("wss"), frames)
                .get(10, TimeUnit.SECONDS);
        assertThat(frames.socket().getSubprotocol()).isEqualTo(protocol);
        return frames;
    }

    @Test
    void pumpsStreamsAndReportsTheExitCode() throws Exception {
        script(streams -> {
            byte[] input = streams.stdin().readAllBytes();
            streams.stdout().write(("out:" + new String(input, UTF_8)).getBytes(UTF_8));
            streams.stderr().write("err".getBytes(UTF_8));
            return 3;
        });
        Frames frames = connect("v5.channel.k8s.io");
        assertThat(frames.next()).isEqualTo("1:");
        frames.send(0, "hello ".getBytes(UTF_8));
        frames.send(0, "world".getBytes(UTF_8));
        frames.send(255, new byte[] {0});
        assertThat(frames.next()).isEqualTo("1:out:hello world");
        assertThat(frames.next()).isEqualTo("2:err");
        assertThat(frames.next())
                .startsWith("3:{\"metadata\":{},\"status\":\"Failure\"")
                .contains("\"reason\":\"NonZeroExitCode\"", "{\"reason\":\"ExitCode\",\"message\":\"3\"}");
        assertThat(frames.next()).isEqualTo("closed 1000");
    }

    @Test
    void version4ReportsSuccess() throws Exception {
        script(streams -> {
            streams.stdout().write("hi".getBytes(UTF_8));
            return 0;
        });
        Frames frames = connect("v4.channel.k8s.io");
        assertThat(frames.next()).isEqualTo("1:");
        assertThat(frames.next()).isEqualTo("1:hi");
        assertThat(frames.next()).isEqualTo("3:{\"metadata\":{},\"status\":\"Success\"}");
        assertThat(frames.next()).isEqualTo("closed 1000");
    }

    @Test
    void base64InTextMessages() throws Exception {
        script(streams -> {
            byte[] two = streams.stdin().readNBytes(2);
            streams.stdout().write(two);
            return 0;
        });
        Frames frames = connect("v4.base64.channel.k8s.io");
        assertThat(frames.next()).isEqualTo("text 1");
        frames.socket().sendText("0" + Base64.getEncoder().encodeToString("ok".getBytes(UTF_8)), true);
        assertThat(frames.next()).isEqualTo("text 1" + Base64.getEncoder().encodeToString("ok".getBytes(UTF_8)));
    }

    @Test
    void tellsTheTerminalsSize() throws Exception {
        BlockingQueue<String> sizes = new LinkedBlockingQueue<>();
        CountDownLatch done = new CountDownLatch(1);
        script(streams -> {
            streams.onResize((columns, rows) -> sizes.add(columns + "x" + rows));
            await(done);
            return 0;
        });
        Frames frames = connect("v5.channel.k8s.io");
        frames.send(4, "{\"Width\":80,\"Height\":24}".getBytes(UTF_8));
        assertThat(sizes.poll(10, TimeUnit.SECONDS)).isEqualTo("80x24");
        frames.send(4, "nonsense".getBytes(UTF_8));
        frames.send(4, "{\"Width\":100,\"Height\":30}".getBytes(UTF_8));
        assertThat(sizes.poll(10, TimeUnit.SECONDS)).isEqualTo("100x30");
        done.countDown();
    }

    @Test
    void movesManyBytesBothWays() throws Exception {
        int total = 8 * 1024 * 1024;
        script(streams -> {
            byte[] chunk = new byte[50_000];
            long sum = 0;
            for (int count = streams.stdin().read(chunk);
                    count >= 0;
                    count = streams.stdin().read(chunk)) {
                sum += count;
                streams.stdout().write(chunk, 0, count);
            }
            return sum == total ? 0 : 1;
        });
        Frames frames = connect("v5.channel.k8s.io");
        Thread sender = Thread.startVirtualThread(() -> {
            byte[] chunk = new byte[64 * 1024];
            Arrays.fill(chunk, (byte) 7);
            for (int sent = 0; sent < total; sent += chunk.length) {
                frames.send(0, chunk);
            }
            frames.send(255, new byte[] {0});
        });
        long received = 0;
        String last = frames.next();
        while (last.startsWith("1:")) {
            received += last.length() - 2;
            last = frames.next();
        }
        sender.join();
        assertThat(last).isEqualTo("3:{\"metadata\":{},\"status\":\"Success\"}");
        assertThat(received).isEqualTo(total);
    }

    @Test
    void aFailureBeforeTheFirstStreamIsAnHttpAnswer() throws Exception {
        script(_ -> {
            throw ApiException.badRequest("container x is not valid for pod b");
        });
        assertThatThrownBy(() -> connect("v5.channel.k8s.io"))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        WebSocketHandshakeException.class,
                        e -> assertThat(e.getResponse().statusCode()).isEqualTo(400));
    }

    @Test
    void aFailureLaterIsAStatus() throws Exception {
        script(streams -> {
            streams.stdout().write("x".getBytes(UTF_8));
            throw new IOException("the process went away");
        });
        Frames frames = connect("v5.channel.k8s.io");
        assertThat(frames.next()).isEqualTo("1:");
        assertThat(frames.next()).isEqualTo("1:x");
        assertThat(frames.next()).contains("\"reason\":\"InternalError\"", "the process went away");
    }

    @Test
    void noticesThatTheClientHasGone() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
        script(streams -> {
            streams.onClose(gone::countDown);
            ends.add(streams.stdin().read());
            return 0;
        });
        Frames frames = connect("v5.channel.k8s.io");
        assertThat(frames.next()).isEqualTo("1:");
        frames.socket().abort();
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ends.poll(10, TimeUnit.SECONDS)).isEqualTo(-1);
    }

    @Test
    void aMessageOverTheBoundEndsTheSession() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        script(streams -> {
            streams.onClose(gone::countDown);
            return streams.stdin().read();
        });
        Frames frames = connect("v5.channel.k8s.io");
        frames.socket()
                .sendBinary(ByteBuffer.allocate(ListenerLimits.DEFAULT.sessionMessageBytesMax() + 1), true)
                .handle((_, _) -> true) // cut while sending, or after
                .join();
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP_1_1", "HTTP_2"})
    void withoutAnUpgradeItIsABadRequest(HttpClient.Version version) throws Exception {
        script(_ -> 0);
        try (HttpClient plain = TestTls.client(cluster, version)) {
            HttpResponse<String> response =
                    plain.send(HttpRequest.newBuilder(uri("https")).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.body()).contains("Upgrade request required");
        }
        assertThatThrownBy(() -> connect("v9.channel.k8s.io")).rootCause().hasMessageContaining("400");
    }

    @Test
    void endsSessionsWhenTheClusterGoes() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        script(streams -> {
            streams.onClose(gone::countDown);
            return streams.stdin().read();
        });
        Frames frames = connect("v5.channel.k8s.io");
        assertThat(frames.next()).isEqualTo("1:");
        listener.removeCluster(cluster.tenant());
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a client receives: {@code STREAM:CONTENT} for each message. */
    private static final class Frames implements WebSocket.Listener {
        private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        private final StringBuilder message = new StringBuilder();
        private @Nullable WebSocket socket;

        WebSocket socket() {
            return java.util.Objects.requireNonNull(socket);
        }

        String next() throws InterruptedException {
            return String.valueOf(queue.poll(10, TimeUnit.SECONDS));
        }

        void send(int stream, byte[] content) {
            ByteBuffer buffer = ByteBuffer.allocate(content.length + 1);
            buffer.put((byte) stream).put(content).flip();
            socket().sendBinary(buffer, true).join();
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket webSocket, ByteBuffer data, boolean last) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            message.append(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1));
            if (last) {
                queue.add((int) message.charAt(0) + ":" + message.substring(1));
                message.setLength(0);
            }
            webSocket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            queue.add("text " + data);
            webSocket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
            queue.add("closed " + code);
            return null;
        }

        @Override
        public void onError(WebSocket webSocket, Throwable error) {
            queue.add("error " + error);
        }
    }
}
