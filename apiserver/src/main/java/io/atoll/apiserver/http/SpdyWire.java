package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A remote command over SPDY: the client opens a stream for each of the command's, and one for its status. */
final class SpdyWire implements CommandWire {
    private static final String TYPE = "streamtype";
    private static final long OPEN_SECONDS_MAX = 30;

    private final Exchange exchange;
    private final Set<String> expected = new TreeSet<>();
    private final Map<String, SpdyStream> streams = new HashMap<>();
    private final TerminalSize size = new TerminalSize();
    private final SpdyConnection connection;

    SpdyWire(Exchange exchange, Session.Command command) {
        this.exchange = exchange;
        this.connection = new SpdyConnection(exchange, this::opened);
        expect(true, "error");
        expect(command.stdin(), "stdin");
        expect(command.stdout(), "stdout");
        expect(command.stderr() && !command.tty(), "stderr");
        expect(command.tty(), "resize");
    }

    private void expect(boolean wanted, String type) {
        if (wanted) {
            expected.add(type);
        }
    }

    /** On the event loop. */
    private synchronized void opened(SpdyStream stream) {
        streams.putIfAbsent(stream.header(TYPE), stream);
        notifyAll();
    }

    @Override
    public void open() throws IOException {
        exchange.upgrade(() -> SpdyUpgrade.perform(exchange, SpdyUpgrade.COMMAND_PROTOCOL, connection));
        awaitStreams();
        SpdyStream resize = stream("resize");
        if (resize != null) {
            Thread.startVirtualThread(() -> readSizes(resize.input()));
        }
    }

    private synchronized void awaitStreams() throws IOException {
        long since = exchange.context().executor().ticker().nanoTime();
        long left = TimeUnit.SECONDS.toNanos(OPEN_SECONDS_MAX);
        try {
            while (!streams.keySet().containsAll(expected)) {
                if (exchange.closed() || left <= 0) {
                    throw new IOException("the client has not opened its streams");
                }
                TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, TimeUnit.SECONDS.toNanos(1)));
                left = TimeUnit.SECONDS.toNanos(OPEN_SECONDS_MAX)
                        - (exchange.context().executor().ticker().nanoTime() - since);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for streams", e);
        }
    }

    private synchronized @org.jspecify.annotations.Nullable SpdyStream stream(String type) {
        return streams.get(type);
    }

    /** Sizes follow one another as JSON objects without a separator but white space. */
    private void readSizes(InputStream input) {
        StringBuilder object = new StringBuilder();
        try {
            for (int next = input.read(); next >= 0; next = input.read()) {
                object.append((char) next);
                if (next == '}') {
                    size.accept(object.toString().strip().getBytes(java.nio.charset.StandardCharsets.UTF_8));
                    object.setLength(0);
                } else if (object.length() > 1_000) {
                    return;
                }
            }
        } catch (IOException e) {
            exchange.channel().close();
        }
    }

    @Override
    public InputStream stdin() {
        SpdyStream stream = stream("stdin");
        return stream == null ? InputStream.nullInputStream() : stream.input();
    }

    @Override
    public OutputStream stdout() {
        return output("stdout");
    }

    @Override
    public OutputStream stderr() {
        return output("stderr");
    }

    private OutputStream output(String type) {
        SpdyStream stream = stream(type);
        return stream == null ? OutputStream.nullOutputStream() : stream.output();
    }

    @Override
    public void onResize(BiConsumer<Integer, Integer> listener) {
        size.onChange(listener);
    }

    @Override
    public void finish(byte[] status) throws IOException {
        output("stdout").close();
        output("stderr").close();
        try (OutputStream error = output("error")) {
            error.write(status);
        }
        connection.close();
    }
}
