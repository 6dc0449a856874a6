package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A remote command over a WebSocket: the first byte of each message names its stream, as in Kubernetes'
 * {@code v4.channel.k8s.io} and {@code v5.channel.k8s.io}, where 5 adds that a client can end a stream.
 */
final class WebSocketWire implements CommandWire {
    static final String V5 = "v5.channel.k8s.io";
    static final String V4 = "v4.channel.k8s.io";
    static final String V4_BASE64 = "v4.base64.channel.k8s.io";
    static final List<String> PROTOCOLS = List.of(V5, V4, V4_BASE64);

    private static final int STDIN = 0;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int ERROR = 3;
    private static final int RESIZE = 4;
    private static final int CLOSE = 255;

    private final Exchange exchange;
    private final String protocol;
    private final Session.Command command;
    private final InboundPipe stdin;
    private final TerminalSize size = new TerminalSize();
    private final WebSocketHandler handler;

    WebSocketWire(Exchange exchange, String protocol, Session.Command command) {
        this.exchange = exchange;
        this.protocol = protocol;
        this.command = command;
        this.stdin = new InboundPipe(
                exchange.connection().limits().sessionQueuedBytesMax(),
                () -> exchange.channel()
                        .eventLoop()
                        .execute(() -> exchange.channel().config().setAutoRead(true)));
        this.handler = new WebSocketHandler(exchange, this::received, stdin::finish);
        if (!command.stdin()) {
            stdin.finish();
        }
    }

    @Override
    public void open() throws IOException {
        exchange.upgrade(() -> WebSocketUpgrade.perform(exchange, protocol, List.of(handler)));
        // Tells the client that the session stands, on the first stream that it reads from.
        send(command.stdout() ? STDOUT : command.stderr() ? STDERR : ERROR, new byte[0], 0, 0);
    }

    /** On the event loop. */
    private void received(WebSocketFrame frame) {
        byte[] message = ByteBufUtil.getBytes(frame.content());
        if (message.length == 0) {
            return;
        }
        int stream = message[0] & 0xFF;
        byte[] content = Arrays.copyOfRange(message, 1, message.length);
        if (protocol.equals(V4_BASE64)) {
            stream -= '0';
            try {
                content = Base64.getDecoder().decode(content);
            } catch (IllegalArgumentException e) {
                exchange.channel().close();
                return;
            }
        }
        switch (stream) {
            case STDIN -> {
                if (stdin.put(content)) {
                    exchange.channel().config().setAutoRead(false);
                }
            }
            case RESIZE -> size.accept(content);
            case CLOSE -> {
                if (protocol.equals(V5) && content.length > 0 && content[0] == STDIN) {
                    stdin.finish();
                }
            }
            default -> {} // as Kubernetes: other streams are not the client's to write
        }
    }

    private void send(int stream, byte[] bytes, int from, int count) throws IOException {
        exchange.awaitWritable();
        exchange.channel().writeAndFlush(frame(stream, bytes, from, count));
    }

    private WebSocketFrame frame(int stream, byte[] bytes, int from, int count) {
        if (protocol.equals(V4_BASE64)) {
            byte[] encoded = Base64.getEncoder().encode(Arrays.copyOfRange(bytes, from, from + count));
            return new TextWebSocketFrame(stream + new String(encoded, StandardCharsets.US_ASCII));
        }
        ByteBuf message = exchange.channel().alloc().directBuffer(count + 1);
        message.writeByte(stream).writeBytes(bytes, from, count);
        return new BinaryWebSocketFrame(message);
    }

    @Override
    public InputStream stdin() {
        return stdin;
    }

    @Override
    public OutputStream stdout() {
        return command.stdout() ? new Output(STDOUT) : OutputStream.nullOutputStream();
    }

    @Override
    public OutputStream stderr() {
        return command.stderr() ? new Output(STDERR) : OutputStream.nullOutputStream();
    }

    @Override
    public void onResize(BiConsumer<Integer, Integer> listener) {
        size.onChange(listener);
    }

    @Override
    public void finish(byte[] status) throws IOException {
        stdin.close();
        send(ERROR, status, 0, status.length);
        handler.close();
    }

    private final class Output extends OutputStream {
        private static final int MESSAGE_BYTES = 32 * 1024;

        private final int stream;

        Output(int stream) {
            this.stream = stream;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            for (int sent = 0; sent < count; sent += MESSAGE_BYTES) {
                send(stream, bytes, from + sent, Math.min(MESSAGE_BYTES, count - sent));
            }
        }
    }
}
