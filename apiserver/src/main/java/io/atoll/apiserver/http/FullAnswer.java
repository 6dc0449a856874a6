package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a whole answer: a small one at a stroke on the event loop; a big one in chunks by the request's own thread,
 * which waits while the reader is behind.
 */
final class FullAnswer {
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int GZIP_BYTES_MIN = 128 * 1024;

    private final Exchange exchange;

    FullAnswer(Exchange exchange) {
        this.exchange = exchange;
    }

    void write(ApiResponse.Full full) {
        long length = 0;
        for (byte[] segment : full.segments()) {
            length += segment.length;
        }
        boolean bodiless =
                exchange.head().method().equals(HttpMethod.HEAD) || full.status() == 204 || full.status() == 304;
        if (bodiless || length <= CHUNK_BYTES) {
            long bytes = length;
            exchange.context().executor().execute(() -> writeSmall(full, bytes, bodiless));
        } else {
            writeBig(full, length);
        }
    }

    private void writeSmall(ApiResponse.Full full, long length, boolean bodiless) {
        ByteBuf body = Unpooled.EMPTY_BUFFER;
        if (!bodiless && length > 0) {
            body = exchange.context().alloc().directBuffer((int) length);
            for (byte[] segment : full.segments()) {
                body.writeBytes(segment);
            }
        }
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(full.status()), body);
        AnswerHead.fill(response.headers(), exchange, full.contentType(), full.headers());
        if (full.status() != 204 && full.status() != 304) {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        }
        exchange.endAfter(exchange.context().writeAndFlush(response));
    }

    private void writeBig(ApiResponse.Full full, long length) {
        boolean gzip = length >= GZIP_BYTES_MIN && full.status() == 200 && acceptsGzip();
        HttpResponse head;
        if (gzip) {
            head = AnswerHead.streaming(exchange, full.status(), full.contentType());
            head.headers()
                    .set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP)
                    .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
            full.headers().forEach(head.headers()::set);
        } else {
            head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(full.status()));
            AnswerHead.fill(head.headers(), exchange, full.contentType(), full.headers());
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        }
        exchange.context().write(head);
        try (OutputStream chunks = new Chunks()) {
            if (gzip) {
                compress(full.segments(), chunks);
            } else {
                for (byte[] segment : full.segments()) {
                    chunks.write(segment);
                }
            }
        } catch (IOException e) {
            exchange.channel().close();
        }
    }

    private static void compress(List<byte[]> segments, OutputStream out) throws IOException {
        try (GZIPOutputStream gzip = new FastGzip(out)) {
            for (byte[] segment : segments) {
                gzip.write(segment);
            }
        }
    }

    private boolean acceptsGzip() {
        if (!exchange.head().method().equals(HttpMethod.GET)) {
            return false;
        }
        for (String value : exchange.head().headers().getAll(HttpHeaderNames.ACCEPT_ENCODING)) {
            for (String coding : value.split(",")) {
                String name = coding.strip();
                if (name.equals("gzip")
                        || (name.startsWith("gzip;") && !name.replace(" ", "").endsWith(";q=0"))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Level 1, as Kubernetes: the network is seldom slower than a higher level. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, CHUNK_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    /** Cuts what is written into chunks and waits for the reader before each. The last one ends the exchange. */
    private final class Chunks extends OutputStream {
        private ByteBuf chunk = exchange.context().alloc().directBuffer(CHUNK_BYTES, CHUNK_BYTES);
        private boolean ended;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            int from = offset;
            int left = count;
            while (left > 0) {
                if (!chunk.isWritable()) {
                    send();
                }
                int part = Math.min(left, chunk.writableBytes());
                chunk.writeBytes(bytes, from, part);
                from += part;
                left -= part;
            }
        }

        private void send() throws IOException {
            exchange.awaitWritable();
            exchange.context().writeAndFlush(new DefaultHttpContent(chunk));
            chunk = exchange.context().alloc().directBuffer(CHUNK_BYTES, CHUNK_BYTES);
        }

        @Override
        public void close() {
            if (ended) {
                return;
            }
            ended = true;
            ByteBuf last = chunk;
            exchange.context()
                    .executor()
                    .execute(() ->
                            exchange.endAfter(exchange.context().writeAndFlush(new DefaultLastHttpContent(last))));
        }
    }
}
