package io.atoll.apiserver.http;

import io.atoll.model.ApiException;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyVersion;

/** Kubernetes' older way to a two-way session: {@code Upgrade: SPDY/3.1}. */
final class SpdyUpgrade {
    static final String COMMAND_PROTOCOL = "v4.channel.k8s.io";
    static final String PORTS_PROTOCOL = "portforward.k8s.io";

    private static final String SPDY = "SPDY/3.1";
    private static final String VERSION_HEADER = "X-Stream-Protocol-Version";
    private static final int CHUNK_BYTES = 32 * 1024;
    private static final int HEADER_BYTES_MAX = 16 * 1024;
    private static final int COMPRESSION_LEVEL = 6;
    private static final int WINDOW_BITS = 15;
    private static final int MEMORY_LEVEL = 8;

    private SpdyUpgrade() {}

    static boolean asked(HttpHeaders headers) {
        return headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                && headers.containsValue(HttpHeaderNames.UPGRADE, SPDY, true);
    }

    /** Throws unless the client speaks the protocol. */
    static void check(HttpHeaders headers, String protocol) {
        if (!headers.containsValue(VERSION_HEADER, protocol, true)) {
            throw new ApiException(
                    io.atoll.model.StatusReason.Forbidden,
                    "unable to upgrade: unable to negotiate protocol: server supports [" + protocol + "]");
        }
    }

    /** Answers 101 and puts SPDY in the place of HTTP. On the event loop. */
    static void perform(Exchange exchange, String protocol, SpdyConnection connection) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers()
                .set(HttpHeaderNames.UPGRADE, SPDY)
                .set(HttpHeaderNames.CONNECTION, "Upgrade")
                .set(VERSION_HEADER, protocol);
        exchange.context().writeAndFlush(response);
        ChannelPipeline pipeline = exchange.channel().pipeline();
        pipeline.addLast(codec(), connection);
        pipeline.remove(RequestHandler.NAME);
        pipeline.remove(ProtocolChooser.HTTP_CODEC);
    }

    static SpdyFrameCodec codec() {
        return new SpdyFrameCodec(
                SpdyVersion.SPDY_3_1,
                CHUNK_BYTES,
                HEADER_BYTES_MAX,
                COMPRESSION_LEVEL,
                WINDOW_BITS,
                MEMORY_LEVEL,
                false);
    }
}
