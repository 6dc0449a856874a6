package io.atoll.apiserver.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** After the handshake: HTTP/2 or HTTP/1.1, as agreed. */
final class ProtocolChooser extends ApplicationProtocolNegotiationHandler {
    static final String HTTP_CODEC = "http";

    private static final int FLUSHES_TOGETHER_MAX = 64;

    private final ServedCluster cluster;
    private final Connection.Shared shared;

    ProtocolChooser(ServedCluster cluster, Connection.Shared shared) {
        super(ApplicationProtocolNames.HTTP_1_1);
        this.cluster = cluster;
        this.shared = shared;
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
        Connection connection = new Connection(cluster, certificate(context.channel()), shared);
        if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
            http2(context.pipeline(), connection);
        } else {
            http1(context.pipeline(), connection);
        }
    }

    private static void http1(ChannelPipeline pipeline, Connection connection) {
        HttpDecoderConfig config = new HttpDecoderConfig()
                .setMaxInitialLineLength(connection.limits().requestLineBytesMax())
                .setMaxHeaderSize(connection.limits().requestHeaderBytesMax())
                .setInitialBufferSize(256);
        pipeline.addLast(HTTP_CODEC, new HttpServerCodec(config));
        pipeline.addLast(RequestHandler.NAME, new RequestHandler(connection, false));
    }

    private static void http2(ChannelPipeline pipeline, Connection connection) {
        Http2Settings settings = Http2Settings.defaultSettings()
                .maxConcurrentStreams(connection.limits().http2StreamsMax())
                .maxHeaderListSize(connection.limits().requestHeaderBytesMax());
        // Streams answer one by one: their frames leave together, in as few records and system calls as can be.
        pipeline.addLast(new FlushConsolidationHandler(FLUSHES_TOGETHER_MAX, true));
        pipeline.addLast(Http2FrameCodecBuilder.forServer()
                .initialSettings(settings)
                .gracefulShutdownTimeoutMillis(
                        connection.limits().shutdownGrace().toMillis())
                .build());
        pipeline.addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true));
                stream.pipeline().addLast(new RequestHandler(connection, true));
            }
        }));
        pipeline.addLast(new Http2Lifetime(connection.limits()));
    }

    private static @Nullable X509Certificate certificate(Channel channel) {
        try {
            Certificate[] chain = channel.pipeline()
                    .get(SslHandler.class)
                    .engine()
                    .getSession()
                    .getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate first ? first : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
