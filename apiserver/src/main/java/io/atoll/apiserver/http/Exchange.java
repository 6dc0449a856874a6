package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.UserInfo;
import io.atoll.model.ApiException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer. Read on the event loop, run on a virtual thread, written by whichever of the two has the
 * answer: {@link #claim} decides who, once.
 *
 * <p>Its place among the requests in flight is held until it has both run and been written, or has become a watch,
 * stream or session.
 */
final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final ChannelHandlerContext context;
    private final Connection connection;
    private final HttpRequest head;
    private final BiConsumer<Exchange, End> onEnd;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private final AtomicInteger placeHolders = new AtomicInteger();
    private final List<Runnable> closeActions = new ArrayList<>(0);
    private final Object writable = new Object();
    private volatile boolean keepAlive;
    private volatile boolean closed;
    private volatile boolean longRunning;
    private @Nullable RequestTarget target;
    private @Nullable Future<?> deadline;
    private boolean running;
    private boolean ended;

    /** How an exchange left its connection. */
    enum End {
        KEEP_ALIVE,
        CLOSE,
        /** Not over: the deadline has passed. */
        EXPIRED
    }

    Exchange(ChannelHandlerContext context, Connection connection, HttpRequest head, BiConsumer<Exchange, End> onEnd) {
        this.context = context;
        this.connection = connection;
        this.head = head;
        this.onEnd = onEnd;
        this.keepAlive = HttpUtil.isKeepAlive(head);
    }

    ChannelHandlerContext context() {
        return context;
    }

    Connection connection() {
        return connection;
    }

    HttpRequest head() {
        return head;
    }

    RequestTarget target() {
        if (target == null) {
            throw new IllegalStateException("target not parsed");
        }
        return target;
    }

    /** Throws ApiException when the target cannot be used. */
    void parseTarget() {
        target = RequestTarget.parse(head.uri());
    }

    boolean expectsBody() {
        return HttpUtil.isTransferEncodingChunked(head) || HttpUtil.getContentLength(head, 0L) > 0;
    }

    /** Takes its place among the requests in flight; false when there is none. */
    boolean enter() {
        if (!connection.enter()) {
            return false;
        }
        placeHolders.set(2);
        return true;
    }

    private void leave(int holders) {
        int before = placeHolders.getAndUpdate(held -> Math.max(0, held - holders));
        if (before > 0 && before <= holders) {
            connection.leave();
        }
    }

    /** From the head on, so that a body that trickles in does not hold its place for ever. */
    void startDeadline() {
        Duration timeout;
        try {
            timeout =
                    RequestTimeout.of(parameter("timeout"), connection.limits().requestTimeout());
        } catch (ApiException e) {
            timeout = connection.limits().requestTimeout(); // answered 400 when it runs
        }
        deadline = context.executor()
                .schedule(() -> onEnd.accept(this, End.EXPIRED), timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void stopDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    void answerDeadline() {
        answer(Failure.deadline());
    }

    @Nullable
    String parameter(String name) {
        List<String> values = target().query().get(name);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }

    /** Answers a request that is not run. On the event loop. */
    void refuse(ApiResponse.Full failure, boolean mayKeepAlive) {
        keepAlive &= mayKeepAlive;
        leave(1);
        answer(failure);
    }

    /** Runs the request on a virtual thread. On the event loop. */
    void run(BodyBuffer body) {
        running = true;
        Thread.startVirtualThread(() -> {
            try {
                respond(handle(body.toBytes()));
            } catch (ApiException e) {
                answer(Failure.of(e));
            } catch (RuntimeException | Error e) {
                LOG.error("{} {} failed", head.method(), head.uri(), e);
                answer(Failure.internal(e));
            } finally {
                body.release();
                leave(1);
            }
        });
    }

    private ApiResponse handle(byte[] body) {
        RequestTimeout.of(parameter("timeout"), connection.limits().requestTimeout());
        RequestHeaders headers = RequestHeaders.of(head.headers());
        Optional<UserInfo> user = connection
                .cluster()
                .cluster()
                .authenticator()
                .authenticate(connection.certificate(), headers.bearerToken());
        if (user.isEmpty()) {
            return Failure.unauthorized();
        }
        ApiRequest request = new ApiRequest(
                head.method().name(), target().path(), target().query(), headers.fields(), body, user.get());
        return connection.cluster().cluster().handle(request);
    }

    private void respond(ApiResponse response) {
        switch (response) {
            case ApiResponse.Full full -> answer(full);
            case ApiResponse.Watch watch -> WatchAnswer.start(this, watch);
            case ApiResponse.Stream stream -> StreamAnswer.run(this, stream);
            case ApiResponse.Upgrade upgrade -> UpgradeAnswer.run(this, upgrade);
        }
    }

    void answer(ApiResponse.Full full) {
        if (claim()) {
            new FullAnswer(this).write(full);
        }
    }

    /** The right to write the answer: true for the first to ask, unless the client has gone. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** Gives its place among the requests in flight up: it is now counted as long-running. */
    void becomeLongRunning() {
        longRunning = true;
        leave(2);
        context.executor().execute(this::stopDeadline);
    }

    /** True on an HTTP/2 stream. */
    boolean multiplexed() {
        return !(channel() instanceof SocketChannel);
    }

    /** Runs the switch to another protocol on the event loop and waits until it is done. */
    void upgrade(Runnable change) throws IOException {
        if (!claim()) {
            throw new IOException("the client has gone");
        }
        try {
            context.executor().submit(change).sync();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while upgrading", e);
        }
    }

    boolean keepAlive() {
        return keepAlive;
    }

    /** The connection closes after this answer. */
    void closeAfterwards() {
        keepAlive = false;
    }

    Channel channel() {
        return context.channel();
    }

    /** Ends the exchange once the last write of its answer is out. On the event loop. */
    void endAfter(ChannelFuture lastWrite) {
        if (lastWrite.isDone()) {
            end(lastWrite.isSuccess());
            return;
        }
        StallGuard.watch(context, lastWrite, connection.limits().stallTimeout());
        lastWrite.addListener(written -> end(written.isSuccess()));
    }

    private void end(boolean written) {
        end(keepAlive && written ? End.KEEP_ALIVE : End.CLOSE);
    }

    /** On the event loop. */
    void end(End how) {
        if (ended) {
            return;
        }
        ended = true;
        stopDeadline();
        leave(1);
        runCloseActions();
        onEnd.accept(this, how);
    }

    /** The client has gone. On the event loop. */
    void disconnected() {
        closed = true;
        claimed.set(true);
        wake();
        if (!ended) {
            ended = true;
            stopDeadline();
            leave(running ? 1 : 2);
        }
        runCloseActions();
    }

    boolean closed() {
        return closed;
    }

    /** Runs the action when the client goes or the exchange ends; at once if so already. */
    void onClose(Runnable action) {
        synchronized (closeActions) {
            if (!closed) {
                closeActions.add(action);
                return;
            }
        }
        action.run();
    }

    private void runCloseActions() {
        List<Runnable> actions;
        synchronized (closeActions) {
            closed = true;
            actions = List.copyOf(closeActions);
            closeActions.clear();
        }
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException e) {
                LOG.error("closing {} failed", head.uri(), e);
            }
        }
    }

    /** Blocks while the reader is behind. Any number of threads. */
    void awaitWritable() throws IOException {
        if (!closed && channel().isWritable()) {
            return;
        }
        ListenerLimits limits = connection.limits();
        long stallNanos = (longRunning ? limits.streamStallTimeout() : limits.stallTimeout()).toNanos();
        long since = context.executor().ticker().nanoTime();
        long left = stallNanos;
        // Asked once a round: another writer may fill the channel again right after it had room.
        boolean room;
        synchronized (writable) {
            room = channel().isWritable();
            while (!closed && !room && left > 0) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(writable, Math.max(left, 1_000_000));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted while waiting for the reader", e);
                }
                left = stallNanos - (context.executor().ticker().nanoTime() - since);
                room = channel().isWritable();
            }
        }
        if (closed) {
            throw new IOException("the client has gone");
        }
        if (!room) {
            channel().close();
            throw new IOException("the reader took nothing for " + stallNanos / 1_000_000 + " ms");
        }
    }

    void wake() {
        synchronized (writable) {
            writable.notifyAll();
        }
    }
}
