package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse.Session;
import io.atoll.model.pod.ExecStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Port-forward over SPDY: for each connection that the client takes, it opens an error and a data stream that name the
 * port and share a request id. Fed by the event loop; each connection is pumped by a virtual thread of its own.
 */
final class SpdyPorts {
    private final Exchange exchange;
    private final Session.Ports ports;
    private final SpdyConnection connection;
    private final Map<String, SpdyStream> unpaired = new HashMap<>();
    private final Set<Streams> live = ConcurrentHashMap.newKeySet();

    SpdyPorts(Exchange exchange, Session.Ports ports) {
        this.exchange = exchange;
        this.ports = ports;
        this.connection = new SpdyConnection(exchange, this::opened);
        exchange.onClose(() -> live.forEach(Streams::gone));
    }

    SpdyConnection connection() {
        return connection;
    }

    /** On the event loop. */
    private void opened(SpdyStream stream) {
        String request = stream.header("requestid");
        SpdyStream other = unpaired.remove(request);
        if (other == null) {
            unpaired.put(request, stream);
            return;
        }
        boolean dataFirst = other.header("streamtype").equals("data");
        SpdyStream data = dataFirst ? other : stream;
        SpdyStream error = dataFirst ? stream : other;
        Thread.startVirtualThread(() -> pump(data, error));
    }

    private void pump(SpdyStream data, SpdyStream error) {
        Streams streams = new Streams(data);
        live.add(streams);
        try {
            if (!exchange.closed()) {
                ports.body().run(Integer.parseInt(data.header("port")), streams);
            }
        } catch (IOException | RuntimeException e) {
            report(error, data.header("port"), e);
        } finally {
            live.remove(streams);
            streams.gone();
            data.input().close();
            data.finish();
            error.finish();
            connection.release(data);
            connection.release(error);
        }
    }

    private static void report(SpdyStream error, String port, Exception cause) {
        try {
            String message = "an error occurred forwarding to port " + port + ": " + cause.getMessage();
            error.output().write(message.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            error.input().close(); // the client has gone
        }
    }

    private static final class Streams implements ExecStreams {
        private final SpdyStream data;
        private final List<Runnable> closeActions = new ArrayList<>(1);
        private boolean gone;

        Streams(SpdyStream data) {
            this.data = data;
        }

        @Override
        public InputStream stdin() {
            return data.input();
        }

        @Override
        public OutputStream stdout() {
            return data.output();
        }

        @Override
        public OutputStream stderr() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void onResize(BiConsumer<Integer, Integer> listener) {}

        @Override
        public void onClose(Runnable action) {
            synchronized (this) {
                if (!gone) {
                    closeActions.add(action);
                    return;
                }
            }
            action.run();
        }

        void gone() {
            List<Runnable> actions;
            synchronized (this) {
                gone = true;
                actions = List.copyOf(closeActions);
                closeActions.clear();
            }
            actions.forEach(Runnable::run);
        }
    }
}
