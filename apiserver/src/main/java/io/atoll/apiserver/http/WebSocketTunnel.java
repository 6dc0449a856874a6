package io.atoll.apiserver.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;

/** Carries a byte stream in WebSocket messages, as Kubernetes does to bring SPDY through proxies. */
final class WebSocketTunnel extends ChannelDuplexHandler {
    static final String PORTS_PROTOCOL = "SPDY/3.1+portforward.k8s.io";

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        switch (message) {
            case PingWebSocketFrame ping -> context.writeAndFlush(new PongWebSocketFrame(ping.content()));
            case PongWebSocketFrame pong -> pong.release();
            case CloseWebSocketFrame close -> context.writeAndFlush(close).addListener(ChannelFutureListener.CLOSE);
            case WebSocketFrame frame -> context.fireChannelRead(frame.content());
            default -> context.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        context.write(message instanceof ByteBuf bytes ? new BinaryWebSocketFrame(bytes) : message, promise);
    }
}
