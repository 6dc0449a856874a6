package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A watch towards one client. Events are offered by any thread and written by the event loop, those that wait
 * together in one chunk. What the client leaves unread is bounded: beyond, its watch is closed and it lists anew.
 */
final class WatchAnswer implements ApiResponse.WatchSink, ServedCluster.LongRunning {
    /** Events that wait together go out in chunks of about this size. */
    private static final int CHUNK_BYTES_MAX = 256 * 1024;

    private final Exchange exchange;
    private final int queuedBytesMax;
    private final Queue<byte[]> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    /** The size of the state that the watch began with: not held against its reader. */
    private final AtomicLong allowedBytes = new AtomicLong();

    private final AtomicBoolean flushing = new AtomicBoolean();
    private volatile boolean ending;
    private boolean ended;
    private @Nullable Future<?> timeout;

    private WatchAnswer(Exchange exchange) {
        this.exchange = exchange;
        this.queuedBytesMax = exchange.connection().limits().watchQueuedBytesMax();
    }

    static void start(Exchange exchange, ApiResponse.Watch watch) {
        Duration life = RequestTimeout.ofSeconds(exchange.parameter("timeoutSeconds"));
        WatchAnswer answer = new WatchAnswer(exchange);
        if (!exchange.connection().cluster().open(answer)) {
            exchange.answer(Failure.tooManyRequests());
            return;
        }
        if (!exchange.claim()) {
            exchange.connection().cluster().closed(answer);
            return;
        }
        exchange.becomeLongRunning();
        exchange.onClose(answer::closed);
        exchange.context().writeAndFlush(AnswerHead.streaming(exchange, 200, watch.contentType()));
        answer.endAfter(life);
        watch.body().start(answer);
    }

    private void endAfter(Duration asked) {
        long nanos = asked.toNanos();
        if (nanos == 0) {
            nanos = exchange.connection().limits().watchTimeoutMin().toNanos();
            nanos += (long) (nanos * exchange.connection().shared().jitter().next());
        }
        long delay = nanos;
        exchange.context().executor().execute(() -> {
            if (!exchange.closed()) {
                timeout = exchange.context().executor().schedule(this::end, delay, TimeUnit.NANOSECONDS);
            }
        });
    }

    @Override
    public boolean offer(byte[] event) {
        if (ending || exchange.closed()) {
            return false;
        }
        if (queuedBytes.addAndGet(event.length) > queuedBytesMax + allowedBytes.get()) {
            ending = true;
            exchange.channel().close();
            return false;
        }
        queue.add(event);
        scheduleFlush();
        return true;
    }

    /** The state that a watch starts with is as much as a list of it would have been, however slow the reader. */
    @Override
    public boolean offerAll(List<byte[]> events) {
        if (ending || exchange.closed()) {
            return false;
        }
        long size = 0;
        for (byte[] event : events) {
            size += event.length;
        }
        allowedBytes.addAndGet(size);
        queuedBytes.addAndGet(size);
        queue.addAll(events);
        scheduleFlush();
        return true;
    }

    @Override
    public void end() {
        ending = true;
        scheduleFlush();
    }

    @Override
    public void onClose(Runnable action) {
        exchange.onClose(action);
    }

    private void scheduleFlush() {
        if (flushing.compareAndSet(false, true)) {
            exchange.context().executor().execute(this::flush);
        }
    }

    private void flush() {
        flushing.set(false);
        boolean last = ending;
        int bytes = 0;
        ByteBuf chunk = null;
        while (bytes < CHUNK_BYTES_MAX) {
            byte[] event = queue.poll();
            if (event == null) {
                break;
            }
            if (chunk == null) {
                chunk = exchange.context().alloc().directBuffer(event.length);
            }
            chunk.writeBytes(event);
            bytes += event.length;
        }
        if (exchange.closed()) {
            if (chunk != null) {
                chunk.release();
            }
            return;
        }
        if (chunk != null) {
            int written = bytes;
            exchange.context()
                    .writeAndFlush(new DefaultHttpContent(chunk))
                    .addListener(_ -> queuedBytes.addAndGet(-written));
        }
        if (!queue.isEmpty()) {
            scheduleFlush();
        } else if (last && !ended) {
            ended = true;
            exchange.endAfter(exchange.context().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT));
        }
    }

    /** On the event loop. */
    private void closed() {
        ending = true;
        queue.clear();
        if (timeout != null) {
            timeout.cancel(false);
        }
        exchange.connection().cluster().closed(this);
    }
}
