package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.atoll.model.ApiException;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests off an HTTP/1.1 connection, one after the other, or the one request of an HTTP/2 stream, and starts
 * an {@link Exchange} for each. On its event loop only.
 *
 * <p>At most one exchange runs at a time; what a pipelining client sends meanwhile is held, and then the connection is
 * no longer read.
 */
final class RequestHandler extends ChannelInboundHandlerAdapter {
    static final String NAME = "requests";

    private static final Duration LINGER = Duration.ofSeconds(2);

    private final Connection connection;
    private final boolean multiplexed;
    private final Deque<HttpObject> held = new ArrayDeque<>(0);
    private @Nullable Exchange exchange;
    private @Nullable BodyBuffer body;
    private boolean reading;
    private boolean discarding;
    private boolean closing;
    private boolean draining;
    private boolean firstHeadSeen;
    private long idleSince;

    RequestHandler(Connection connection, boolean multiplexed) {
        this.connection = connection;
        this.multiplexed = multiplexed;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (!multiplexed) {
            idleSince = now(context);
            scheduleIdleCheck(context, connection.limits().headTimeout().toNanos());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof HttpObject part)) {
            ReferenceCountUtil.release(message);
        } else if (exchange != null && !reading && !discarding) {
            held.add(part);
            context.channel().config().setAutoRead(false);
        } else {
            accept(context, part);
        }
    }

    private void accept(ChannelHandlerContext context, HttpObject message) {
        try {
            if (message instanceof HttpRequest head) {
                begin(context, head);
            }
            if (message instanceof HttpContent content) {
                append(context, content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest head) {
        firstHeadSeen = true;
        reading = true;
        Exchange started = new Exchange(context, connection, head, this::finished);
        exchange = started;
        ApiResponse.Full refusal = refusal(head, started);
        if (refusal != null) {
            refuse(refusal, head.decoderResult().isFailure());
            return;
        }
        body = new BodyBuffer(connection, HttpUtil.getContentLength(head, 0L));
        if (HttpUtil.is100ContinueExpected(head)) {
            context.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
        started.startDeadline();
    }

    private ApiResponse.@Nullable Full refusal(HttpRequest head, Exchange started) {
        if (head.decoderResult().isFailure()) {
            return malformed(head.decoderResult().cause());
        }
        try {
            if (HttpUtil.getContentLength(head, 0L) > connection.limits().requestBodyBytesMax()) {
                return Failure.bodyTooLarge(connection.limits().requestBodyBytesMax());
            }
            started.parseTarget();
        } catch (NumberFormatException e) {
            return Failure.of(400, "BadRequest", "invalid Content-Length");
        } catch (ApiException e) {
            return Failure.of(e);
        }
        return started.enter() ? null : Failure.tooManyRequests();
    }

    private static ApiResponse.Full malformed(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Failure.of(414, "BadRequest", "the request line is too long");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return Failure.of(431, "BadRequest", "the request headers are too large");
        }
        return Failure.of(400, "BadRequest", "malformed HTTP request: " + cause.getMessage());
    }

    private void append(ChannelHandlerContext context, HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        if (reading && body != null && exchange != null) {
            if (content.decoderResult().isFailure()) {
                refuse(malformed(content.decoderResult().cause()), true);
            } else if (!body.append(content.content())) {
                refuse(body.refusal(), false);
            }
        }
        if (!last) {
            return;
        }
        if (discarding) {
            discarding = false;
            if (closing) {
                context.close();
            }
        } else if (reading && body != null && exchange != null) {
            reading = false;
            Exchange ready = exchange;
            BodyBuffer whole = body;
            body = null;
            ready.run(whole);
        }
    }

    /** Answers without running; the rest of the request is read and dropped. */
    private void refuse(ApiResponse.Full answer, boolean streamBroken) {
        Exchange refused = exchange;
        if (body != null) {
            body.release();
            body = null;
        }
        reading = false;
        discarding = !streamBroken;
        if (refused != null) {
            boolean keepAlive = !streamBroken && !refused.expectsBody();
            refused.refuse(answer, keepAlive);
        }
    }

    /** The deadline passed while the body was still being sent. True when this is so. */
    private boolean expireReading() {
        if (!reading) {
            return false;
        }
        refuse(Failure.of(408, "Timeout", "the request body did not arrive in time"), false);
        return true;
    }

    /** An exchange has written its answer, or expired. */
    private void finished(Exchange done, Exchange.End end) {
        ChannelHandlerContext context = done.context();
        if (exchange != done) {
            return;
        }
        if (end == Exchange.End.EXPIRED) {
            if (!expireReading()) {
                done.answerDeadline();
            }
            return;
        }
        exchange = null;
        if (multiplexed) {
            if (discarding || reading) {
                context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
            }
            return;
        }
        nextOrClose(context, end == Exchange.End.KEEP_ALIVE);
    }

    private void nextOrClose(ChannelHandlerContext context, boolean keepAlive) {
        if (multiplexed) {
            return;
        }
        if (!keepAlive || draining) {
            closing = true;
            if (discarding) {
                context.executor().schedule(() -> context.close(), LINGER.toMillis(), TimeUnit.MILLISECONDS);
            } else {
                context.close();
            }
            return;
        }
        idleSince = now(context);
        while (exchange == null || reading || discarding) {
            HttpObject next = held.poll();
            if (next == null) {
                context.channel().config().setAutoRead(true);
                return;
            }
            accept(context, next);
        }
    }

    private void scheduleIdleCheck(ChannelHandlerContext context, long delayNanos) {
        context.executor().schedule(() -> closeIfIdle(context), delayNanos, TimeUnit.NANOSECONDS);
    }

    private void closeIfIdle(ChannelHandlerContext context) {
        if (!context.channel().isActive() || context.isRemoved()) {
            return;
        }
        long limit = (firstHeadSeen
                        ? connection.limits().idleTimeout()
                        : connection.limits().headTimeout())
                .toNanos();
        long idle = now(context) - idleSince;
        if (exchange == null && idle >= limit) {
            context.close();
        } else {
            scheduleIdleCheck(context, exchange == null ? limit - idle : limit);
        }
    }

    private static long now(ChannelHandlerContext context) {
        return context.executor().ticker().nanoTime();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (exchange != null) {
            exchange.wake();
        }
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (body != null) {
            body.release();
            body = null;
        }
        held.forEach(ReferenceCountUtil::release);
        held.clear();
        if (exchange != null) {
            exchange.disconnected();
        }
        context.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == Listener.Drain.NOW) {
            draining = true;
            if (exchange == null) {
                context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            } else {
                exchange.closeAfterwards();
            }
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
