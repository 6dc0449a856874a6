package io.atoll.apiserver;

import io.atoll.model.pod.ByteSink;
import io.atoll.model.pod.ExecStreams;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** An answer, free of HTTP types; the listener turns it into bytes on a connection. */
public sealed interface ApiResponse {
    /**
     * A whole answer.
     *
     * @param segments the body's parts in order; a LIST splices stored bytes here without copying them
     */
    record Full(int status, String contentType, Map<String, String> headers, List<byte[]> segments)
            implements ApiResponse {
        public static Full of(int status, String contentType, byte[] body) {
            return new Full(status, contentType, Map.of(), List.of(body));
        }
    }

    /** A watch: events are pushed as they happen, without a thread of its own. */
    record Watch(String contentType, WatchBody body) implements ApiResponse {}

    /** Bytes from a blocking producer (pod logs): the listener runs it on a virtual thread. */
    record Stream(String contentType, StreamBody body) implements ApiResponse {}

    /** A two-way session (exec, attach, port-forward) after a protocol upgrade. */
    record Upgrade(Session session) implements ApiResponse {}

    /** Starts pushing into the sink and returns at once. */
    interface WatchBody {
        void start(WatchSink sink);
    }

    /** The connection's end of a watch. */
    interface WatchSink {
        /** Queues one encoded event; false when the reader is too far behind or gone: then the watch must stop. */
        boolean offer(byte[] event);

        /**
         * Queues the state that a watch starts with, however much it is: it is there already, unlike changes that a slow
         * reader lets pile up.
         */
        default boolean offerAll(List<byte[]> events) {
            for (byte[] event : events) {
                if (!offer(event)) {
                    return false;
                }
            }
            return true;
        }

        /** Ends the response in good order. */
        void end();

        /** Runs once when the connection goes or the watch ends. */
        void onClose(Runnable action);
    }

    /** Writes until done; exceptions before the first byte become a Status. */
    interface StreamBody {
        void writeTo(ByteSink sink) throws IOException;
    }

    /** What runs behind an upgraded connection. */
    sealed interface Session {
        /** Exec and attach: returns the exit code. */
        record Command(CommandBody body, boolean stdin, boolean stdout, boolean stderr, boolean tty)
                implements Session {}

        /** Port-forward: called once for each requested port. */
        record Ports(List<Integer> ports, PortBody body) implements Session {}
    }

    /** Runs a remote command over the streams; returns its exit code. */
    interface CommandBody {
        int run(ExecStreams streams) throws IOException;
    }

    /** Pumps one forwarded port. */
    interface PortBody {
        void run(int port, ExecStreams streams) throws IOException;
    }
}
