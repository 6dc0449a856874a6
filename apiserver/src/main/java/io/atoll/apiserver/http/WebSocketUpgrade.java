package io.atoll.apiserver.http;

import io.atoll.model.ApiException;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The server's side of a WebSocket handshake, RFC 6455. */
final class WebSocketUpgrade {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private WebSocketUpgrade() {}

    static boolean asked(HttpHeaders headers) {
        return headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
    }

    /** The client's first subprotocol that is served. */
    static Optional<String> protocol(HttpHeaders headers, List<String> served) {
        List<String> offered = new ArrayList<>();
        for (String line : headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL)) {
            for (String name : line.split(",")) {
                offered.add(name.strip());
            }
        }
        return offered.stream().filter(served::contains).findFirst();
    }

    /** Throws when the handshake lacks what it needs. */
    static void check(HttpHeaders headers) {
        if (!"13".equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))
                || headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY) == null) {
            throw ApiException.badRequest("a WebSocket handshake of version 13 with a key is required");
        }
    }

    /** Answers 101 and puts the session in the place of HTTP. On the event loop. */
    static void perform(Exchange exchange, String protocol, List<ChannelHandler> session) {
        HttpHeaders asked = exchange.head().headers();
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers()
                .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                .set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, accept(asked.get(HttpHeaderNames.SEC_WEBSOCKET_KEY)))
                .set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, protocol);
        exchange.context().writeAndFlush(response);

        int bytesMax = exchange.connection().limits().sessionMessageBytesMax();
        ChannelPipeline pipeline = exchange.channel().pipeline();
        WebSocketDecoderConfig config = WebSocketDecoderConfig.newBuilder()
                .expectMaskedFrames(true)
                .allowMaskMismatch(false)
                .maxFramePayloadLength(bytesMax)
                .build();
        pipeline.addLast(new WebSocket13FrameDecoder(config));
        pipeline.addLast(new WebSocket13FrameEncoder(false));
        pipeline.addLast(new WebSocketFrameAggregator(bytesMax));
        session.forEach(pipeline::addLast);
        pipeline.remove(RequestHandler.NAME);
        pipeline.remove(ProtocolChooser.HTTP_CODEC);
    }

    private static String accept(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no SHA-1 in this JDK", e);
        }
    }
}
