package io.atoll.apiserver.http;

import io.netty.handler.codec.spdy.SpdyHeaders;
import java.io.IOException;
import java.io.OutputStream;

/** One stream of a SPDY connection. Read and written by one thread each; filled by the event loop. */
final class SpdyStream {
    private final SpdyConnection connection;
    private final int id;
    private final SpdyHeaders headers;
    private final InboundPipe input;
    private final Output output = new Output();

    SpdyStream(SpdyConnection connection, int id, SpdyHeaders headers, InboundPipe input) {
        this.connection = connection;
        this.id = id;
        this.headers = headers;
        this.input = input;
    }

    int id() {
        return id;
    }

    /** A header's value; empty when missing. */
    String header(String name) {
        CharSequence value = headers.get(name);
        return value == null ? "" : value.toString();
    }

    InboundPipe input() {
        return input;
    }

    /** Closing it is {@link #finish}. */
    OutputStream output() {
        return output;
    }

    /** Ends our side of the stream. */
    void finish() {
        output.close();
    }

    private final class Output extends OutputStream {
        private static final int FRAME_BYTES = 32 * 1024;

        private boolean closed;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            for (int sent = 0; sent < count; sent += FRAME_BYTES) {
                connection.send(id, bytes, from + sent, Math.min(FRAME_BYTES, count - sent));
            }
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                connection.finish(id);
            }
        }
    }
}
