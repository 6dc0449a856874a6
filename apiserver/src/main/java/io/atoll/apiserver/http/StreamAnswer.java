package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.atoll.model.ApiException;
import io.atoll.model.pod.ByteSink;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bytes from a blocking producer, e.g. a pod's log, on the request's own thread. */
final class StreamAnswer implements ByteSink, ServedCluster.LongRunning {
    private static final Logger LOG = LoggerFactory.getLogger(StreamAnswer.class);

    private final Exchange exchange;
    private final String contentType;
    private boolean started;
    private volatile boolean ending;

    private StreamAnswer(Exchange exchange, String contentType) {
        this.exchange = exchange;
        this.contentType = contentType;
    }

    static void run(Exchange exchange, ApiResponse.Stream stream) {
        StreamAnswer answer = new StreamAnswer(exchange, stream.contentType());
        if (!exchange.connection().cluster().open(answer)) {
            exchange.answer(Failure.tooManyRequests());
            return;
        }
        exchange.becomeLongRunning();
        exchange.onClose(() -> exchange.connection().cluster().closed(answer));
        answer.produce(stream);
    }

    private void produce(ApiResponse.Stream stream) {
        try {
            stream.body().writeTo(this);
            finish();
        } catch (ApiException e) {
            fail(e, Failure.of(e));
        } catch (IOException e) {
            fail(e, Failure.internal(e));
        } catch (RuntimeException e) {
            if (!exchange.closed()) {
                LOG.error("streaming {} failed", exchange.head().uri(), e);
            }
            fail(e, Failure.internal(e));
        }
    }

    private void fail(Exception cause, ApiResponse.Full failure) {
        if (!started) {
            exchange.answer(failure);
        } else if (!exchange.closed()) {
            LOG.debug("stream of {} cut", exchange.head().uri(), cause);
            exchange.channel().close(); // no last chunk: the reader sees that it is not whole
        }
    }

    private void start() throws IOException {
        if (!started) {
            started = true;
            if (!exchange.claim()) {
                throw new IOException("the client has gone");
            }
            exchange.context().write(AnswerHead.streaming(exchange, 200, contentType));
        }
    }

    private void finish() throws IOException {
        start();
        exchange.context()
                .executor()
                .execute(() -> exchange.endAfter(exchange.context().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)));
    }

    @Override
    public void write(byte[] chunk) throws IOException {
        if (ending) {
            throw new IOException("the cluster is going");
        }
        start();
        exchange.awaitWritable();
        exchange.context().writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(chunk)));
    }

    @Override
    public boolean closed() {
        return ending || exchange.closed();
    }

    @Override
    public void onClose(Runnable action) {
        exchange.onClose(action);
    }

    /** The cluster goes: a producer that looks at {@link #closed} ends by itself, the connection's end does the rest. */
    @Override
    public void end() {
        ending = true;
        exchange.wake();
    }
}
