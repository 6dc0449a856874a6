package io.atoll.client.http;

import io.atoll.client.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a watch's events, one a line, on a thread of its own. */
final class WatchStream implements Transport.Stream, Runnable {
    /** More than any object may have; a longer line ends the watch. */
    static final int EVENT_BYTES_MAX = 64 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(WatchStream.class);
    private static final int CHUNK_BYTES = 16 * 1024;

    private final InputStream body;
    private final Transport.WatchSink sink;
    private final Consumer<WatchStream> onEnd;
    private volatile boolean closed;

    WatchStream(InputStream body, Transport.WatchSink sink, Consumer<WatchStream> onEnd) {
        this.body = body;
        this.sink = sink;
        this.onEnd = onEnd;
    }

    @Override
    public void run() {
        try (body) {
            readLines();
        } catch (IOException e) {
            if (!closed) {
                LOG.debug("watch cut", e);
            }
        } catch (RuntimeException e) {
            LOG.error("a watch's reader failed", e);
        } finally {
            onEnd.accept(this);
            if (!closed) {
                sink.onEnd();
            }
        }
    }

    private void readLines() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int count = body.read(chunk); count >= 0 && !closed; count = body.read(chunk)) {
            int start = 0;
            for (int i = 0; i < count; i++) {
                if (chunk[i] == '\n') {
                    line.write(chunk, start, i - start);
                    start = i + 1;
                    deliver(line);
                }
            }
            line.write(chunk, start, count - start);
            if (line.size() > EVENT_BYTES_MAX) {
                throw new IOException("a watch event of more than " + EVENT_BYTES_MAX + " bytes");
            }
        }
        deliver(line);
    }

    private void deliver(ByteArrayOutputStream line) {
        if (line.size() > 0 && !closed) {
            sink.onEvent(line.toByteArray());
        }
        line.reset();
    }

    /** No event and no end is delivered any more. */
    @Override
    public void close() {
        closed = true;
        try {
            body.close();
        } catch (IOException e) {
            LOG.debug("closing a watch failed", e);
        }
    }
}
