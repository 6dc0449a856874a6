package io.atoll.apiserver.http;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The end of a pipeline that has become a WebSocket: answers pings and closes, hands messages on. */
final class WebSocketHandler extends SimpleChannelInboundHandler<WebSocketFrame> {
    private static final Duration GOODBYE = Duration.ofSeconds(5);

    private final Exchange exchange;
    private final Consumer<WebSocketFrame> onMessage;
    private final Runnable onClose;
    private boolean closeSent;

    WebSocketHandler(Exchange exchange, Consumer<WebSocketFrame> onMessage, Runnable onClose) {
        this.exchange = exchange;
        this.onMessage = onMessage;
        this.onClose = onClose;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
        switch (frame) {
            case PingWebSocketFrame ping ->
                context.writeAndFlush(new PongWebSocketFrame(ping.content().retain()));
            case PongWebSocketFrame _ -> {}
            case CloseWebSocketFrame _ when closeSent -> context.close();
            case CloseWebSocketFrame close ->
                context.writeAndFlush(close.retainedDuplicate()).addListener(ChannelFutureListener.CLOSE);
            default -> onMessage.accept(frame);
        }
    }

    /** Says goodbye and waits for the client to do so, lest what it still sends make it lose our last words. */
    void close() {
        exchange.channel().eventLoop().execute(() -> {
            closeSent = true;
            exchange.channel().writeAndFlush(new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE));
            exchange.channel()
                    .eventLoop()
                    .schedule(() -> exchange.channel().close(), GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
        });
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        exchange.wake();
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        onClose.run();
        exchange.disconnected();
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close(); // a message over the bound, or broken frames
    }
}
