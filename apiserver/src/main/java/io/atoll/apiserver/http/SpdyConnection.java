package io.atoll.apiserver.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyGoAwayFrame;
import io.netty.handler.codec.spdy.DefaultSpdyPingFrame;
import io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrame;
import io.netty.handler.codec.spdy.SpdyPingFrame;
import io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdySessionStatus;
import io.netty.handler.codec.spdy.SpdyStreamStatus;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of a SPDY/3.1 connection as Kubernetes clients use it: streams that the client opens, without flow
 * control windows, which those clients do not keep. When what a stream holds unread reaches its bound, the whole
 * connection is read no further.
 */
final class SpdyConnection extends SimpleChannelInboundHandler<SpdyFrame> {
    private static final Logger LOG = LoggerFactory.getLogger(SpdyConnection.class);
    private static final int STREAMS_MAX = 1_000;
    private static final Duration GOODBYE = Duration.ofSeconds(5);

    private final Exchange exchange;
    private final Consumer<SpdyStream> onStream;
    private final Map<Integer, SpdyStream> streams = new HashMap<>();
    private int paused;
    private int lastStream;

    /**
     * A connection.
     *
     * @param onStream told of each stream that the client opens, on the event loop
     */
    SpdyConnection(Exchange exchange, Consumer<SpdyStream> onStream) {
        this.exchange = exchange;
        this.onStream = onStream;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, SpdyFrame frame) {
        switch (frame) {
            case SpdySynStreamFrame opened -> open(context, opened);
            case SpdyDataFrame data -> receive(data);
            case SpdyRstStreamFrame reset -> forget(reset.streamId());
            case SpdyPingFrame ping -> context.writeAndFlush(new DefaultSpdyPingFrame(ping.id()));
            default -> {} // settings, windows, headers, farewells: nothing to do
        }
    }

    private void open(ChannelHandlerContext context, SpdySynStreamFrame opened) {
        int id = opened.streamId();
        if (opened.isInvalid() || opened.isTruncated() || streams.size() >= STREAMS_MAX || id <= lastStream) {
            context.writeAndFlush(new DefaultSpdyRstStreamFrame(id, SpdyStreamStatus.REFUSED_STREAM));
            return;
        }
        lastStream = id;
        InboundPipe input = new InboundPipe(exchange.connection().limits().sessionQueuedBytesMax(), this::resume);
        SpdyStream stream = new SpdyStream(this, id, opened.headers(), input);
        streams.put(id, stream);
        if (opened.isLast()) {
            input.finish();
        }
        DefaultSpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(id);
        reply.headers().set("status", "200"); // Netty encodes no headers as no block, which Go cannot read
        context.writeAndFlush(reply);
        onStream.accept(stream);
    }

    private void receive(SpdyDataFrame data) {
        SpdyStream stream = streams.get(data.streamId());
        if (stream == null) {
            return;
        }
        if (data.content().isReadable() && stream.input().put(ByteBufUtil.getBytes(data.content()))) {
            paused++;
            exchange.channel().config().setAutoRead(false);
        }
        if (data.isLast()) {
            stream.input().finish();
        }
    }

    /** By a stream's reader. */
    private void resume() {
        exchange.channel().eventLoop().execute(() -> {
            if (--paused == 0) {
                exchange.channel().config().setAutoRead(true);
            }
        });
    }

    private void forget(int id) {
        SpdyStream stream = streams.remove(id);
        if (stream != null) {
            stream.input().finish(); // what is queued can still be read
        }
    }

    void send(int id, byte[] bytes, int from, int count) throws IOException {
        exchange.awaitWritable();
        ByteBuf content = exchange.channel().alloc().directBuffer(count).writeBytes(bytes, from, count);
        exchange.channel().writeAndFlush(new DefaultSpdyDataFrame(id, content));
    }

    /** Ends our side of a stream. */
    void finish(int id) {
        DefaultSpdyDataFrame last = new DefaultSpdyDataFrame(id, Unpooled.EMPTY_BUFFER);
        last.setLast(true);
        exchange.channel().writeAndFlush(last);
    }

    /** Both sides of a stream have ended. */
    void release(SpdyStream stream) {
        exchange.channel().eventLoop().execute(() -> forget(stream.id()));
    }

    /** Says goodbye and waits a little for the client to close, lest it lose our last words. */
    void close() {
        Channel channel = exchange.channel();
        channel.writeAndFlush(new DefaultSpdyGoAwayFrame(lastStream, SpdySessionStatus.OK));
        channel.eventLoop().schedule(() -> channel.close(), GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        exchange.wake();
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        streams.values().forEach(stream -> stream.input().finish());
        streams.clear();
        exchange.disconnected();
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("SPDY connection of {} broken", exchange.head().uri(), cause);
        context.close();
    }
}
