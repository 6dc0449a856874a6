package io.atoll.apiserver.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the host name of a TLS handshake and picks the cluster: by name, else the port's own. */
final class ClusterSelector extends AbstractSniHandler<ServedCluster> {
    private static final int CLIENT_HELLO_BYTES_MAX = 16 * 1024;

    private static final byte HANDSHAKE_RECORD = 0x16;
    private static final String PLAIN_HTTP_HINT =
            "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

    private final ServedCluster ofPort;
    private final Map<String, ServedCluster> byHostName;
    private final Connection.Shared shared;
    private boolean maybeTls;

    ClusterSelector(ServedCluster ofPort, Map<String, ServedCluster> byHostName, Connection.Shared shared) {
        super(CLIENT_HELLO_BYTES_MAX, shared.limits().handshakeTimeout().toMillis());
        this.ofPort = ofPort;
        this.byHostName = byHostName;
        this.shared = shared;
    }

    @Override
    protected Future<ServedCluster> lookup(ChannelHandlerContext context, @Nullable String hostName) {
        ServedCluster named = hostName == null ? null : byHostName.get(hostName.toLowerCase(Locale.ROOT));
        return context.executor().newSucceededFuture(named == null ? ofPort : named);
    }

    @Override
    protected void onLookupComplete(
            ChannelHandlerContext context, @Nullable String hostName, Future<ServedCluster> chosen) throws Exception {
        ServedCluster cluster = chosen.getNow();
        if (!cluster.connect(context.channel())) {
            context.close();
            return;
        }
        SslHandler tls = cluster.context().newHandler(context.alloc());
        tls.setHandshakeTimeoutMillis(shared.limits().handshakeTimeout().toMillis());
        context.pipeline().addLast(new ProtocolChooser(cluster, shared));
        context.pipeline().replace(this, "tls", tls);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof ByteBuf bytes && bytes.isReadable() && !maybeTls && !looksLikeTls(bytes)) {
            bytes.release();
            context.writeAndFlush(Unpooled.copiedBuffer(PLAIN_HTTP_HINT, StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        maybeTls = true;
        super.channelRead(context, message);
    }

    private static boolean looksLikeTls(ByteBuf first) {
        return first.getByte(first.readerIndex()) == HANDSHAKE_RECORD;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
