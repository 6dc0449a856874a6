package io.atoll.apiserver.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Closes an HTTP/2 connection that carries no stream for too long, or whose cluster goes. On its event loop. */
final class Http2Lifetime extends ChannelInboundHandlerAdapter {
    private final ListenerLimits limits;
    private @Nullable Future<?> check;
    private int streamsSeen;

    Http2Lifetime(ListenerLimits limits) {
        this.limits = limits;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        schedule(context, limits.headTimeout());
    }

    private void schedule(ChannelHandlerContext context, Duration delay) {
        check = context.executor().schedule(() -> closeIfIdle(context), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void closeIfIdle(ChannelHandlerContext context) {
        Http2FrameCodec codec = context.pipeline().get(Http2FrameCodec.class);
        int streamsNow = codec.connection().remote().lastStreamCreated();
        if (codec.connection().numActiveStreams() == 0 && streamsNow == streamsSeen) {
            context.close();
        } else {
            streamsSeen = streamsNow;
            schedule(context, limits.idleTimeout());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        ReferenceCountUtil.release(frame); // settings, pings and the like
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == Listener.Drain.NOW) {
            context.close(); // says GOAWAY and waits for open streams
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (check != null) {
            check.cancel(false);
        }
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
