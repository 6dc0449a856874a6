package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.ApiResponse.Session;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Port-forward and exec over SPDY, by itself and in a WebSocket tunnel. */
class SpdySessionTest {
    private final ScriptedCluster cluster = new ScriptedCluster("a");
    private final Listener listener = new Listener(Listener.Options.loopback());
    private InetSocketAddress address = new InetSocketAddress(0);

    @BeforeEach
    void open() {
        address = listener.addCluster(cluster, 0, cluster.keys.tls(), Set.of());
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private SpdyPeer connect(boolean tunnel, String protocol) throws Exception {
        return new SpdyPeer(tunnel ? new Tunnel("SPDY/3.1+" + protocol) : new Plain(protocol));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void forwardsManyConnections(boolean tunnel) throws Exception {
        cluster.script = _ -> new ApiResponse.Upgrade(new Session.Ports(List.of(), (port, streams) -> {
            byte[] input = streams.stdin().readAllBytes();
            streams.stdout().write((port + " got " + input.length).getBytes(UTF_8));
        }));
        SpdyPeer peer = connect(tunnel, "portforward.k8s.io");
        for (int i = 0; i < 5; i++) {
            int error = peer.open("streamtype", "error", "port", "8080", "requestid", "r" + i);
            peer.write(error, "", true);
            int data = peer.open("streamtype", "data", "port", "8080", "requestid", "r" + i);
            for (int part = 0; part < 10; part++) {
                peer.write(data, "x".repeat(20_000), false);
            }
            peer.write(data, "", true);
            assertThat(peer.readAll(data)).isEqualTo("8080 got 200000");
            assertThat(peer.readAll(error)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPortThatFailsIsToldOnItsErrorStream(boolean tunnel) throws Exception {
        cluster.script = _ -> new ApiResponse.Upgrade(new Session.Ports(List.of(), (_, _) -> {
            throw new IOException("connection refused");
        }));
        SpdyPeer peer = connect(tunnel, "portforward.k8s.io");
        int data = peer.open("streamtype", "data", "port", "81", "requestid", "1");
        int error = peer.open("streamtype", "error", "port", "81", "requestid", "1");
        assertThat(peer.readAll(error)).isEqualTo("an error occurred forwarding to port 81: connection refused");
        assertThat(peer.readAll(data)).isEmpty();
    }

    @Test
    void execOverSpdy() throws Exception {
        BlockingQueue<String> sizes = new LinkedBlockingQueue<>();
        CountDownLatch sized = new CountDownLatch(1);
        cluster.script = _ -> new ApiResponse.Upgrade(new Session.Command(
                streams -> {
                    streams.onResize((columns, rows) -> {
                        sizes.add(columns + "x" + rows);
                        sized.countDown();
                    });
                    byte[] input = streams.stdin().readAllBytes();
                    streams.stdout().write(input);
                    try {
                        assertThat(sized.await(10, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    return 4;
                },
                true,
                true,
                true,
                true));
        SpdyPeer peer = connect(false, "v4.channel.k8s.io");
        int error = peer.open("streamtype", "error");
        int stdin = peer.open("streamtype", "stdin");
        int stdout = peer.open("streamtype", "stdout");
        int resize = peer.open("streamtype", "resize");
        peer.write(resize, "{\"Width\":80,\"Height\":24}\n", false);
        peer.write(stdin, "hello", true);
        assertThat(peer.readAll(stdout)).isEqualTo("hello");
        assertThat(peer.readAll(error)).contains("NonZeroExitCode", "\"message\":\"4\"");
        assertThat(sizes.poll()).isEqualTo("80x24");
    }

    @Test
    void connectionsEndWithTheClient() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        cluster.script = _ -> new ApiResponse.Upgrade(new Session.Ports(List.of(), (_, streams) -> {
            streams.onClose(gone::countDown);
            streams.stdout().write("started".getBytes(UTF_8));
            assertThat(streams.stdin().read()).isEqualTo(-1);
        }));
        Plain plain = new Plain("portforward.k8s.io");
        SpdyPeer peer = new SpdyPeer(plain);
        peer.open("streamtype", "error", "port", "1", "requestid", "1");
        peer.open("streamtype", "data", "port", "1", "requestid", "1");
        while (!new String(plain.receive(), UTF_8).contains("started")) {
            // replies
        }
        plain.socket.close();
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
    }

    /** Sends an upgrade by hand and reads the answer's head. */
    private SSLSocket upgrade(String method, String headers, String expected) throws IOException {
        SSLSocket socket = TestTls.socket(cluster, address);
        socket.getOutputStream()
                .write((method + " /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n" + headers + "\r\n")
                        .getBytes(UTF_8));
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) socket.getInputStream().read());
        }
        assertThat(head.toString()).startsWith("HTTP/1.1 101").containsIgnoringCase(expected);
        return socket;
    }

    /** SPDY by HTTP upgrade. */
    private final class Plain implements SpdyPeer.Transport {
        private final SSLSocket socket;

        Plain(String protocol) throws IOException {
            String version = "X-Stream-Protocol-Version: ";
            socket = upgrade(
                    "POST",
                    "Upgrade: SPDY/3.1\r\n" + version + "v9\r\n" + version + protocol + "\r\nContent-Length: 0\r\n",
                    version + protocol);
        }

        @Override
        public void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        @Override
        public byte[] receive() throws IOException {
            byte[] chunk = new byte[8192];
            int count = socket.getInputStream().read(chunk);
            if (count < 0) {
                throw new EOFException();
            }
            return Arrays.copyOf(chunk, count);
        }
    }

    /** SPDY in WebSocket messages; the JDK's client does not take this protocol's name. */
    private final class Tunnel implements SpdyPeer.Transport {
        private final SSLSocket socket;

        Tunnel(String protocol) throws IOException {
            socket = upgrade(
                    "GET",
                    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                            + "Sec-WebSocket-Protocol: " + protocol + "\r\n",
                    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        }

        @Override
        public void send(byte[] bytes) throws IOException {
            ByteBuffer frame = ByteBuffer.allocate(bytes.length + 8);
            frame.put((byte) 0x82);
            if (bytes.length < 126) {
                frame.put((byte) (0x80 | bytes.length));
            } else {
                frame.put((byte) (0x80 | 126)).putShort((short) bytes.length);
            }
            frame.putInt(0).put(bytes); // a mask of zeros
            socket.getOutputStream().write(frame.array(), 0, frame.position());
        }

        @Override
        public byte[] receive() throws IOException {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(in.readUnsignedByte()).isEqualTo(0x82);
            int length = in.readUnsignedByte();
            return in.readNBytes(length == 126 ? in.readUnsignedShort() : length);
        }
    }
}
