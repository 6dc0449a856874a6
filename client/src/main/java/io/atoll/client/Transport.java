package io.atoll.client;

import java.util.Map;

/**
 * Carries requests to one API server: over HTTP, or straight into a server in the same process. Any thread.
 *
 * <p>Who the caller is, is the transport's business: a request holds no credentials.
 */
public interface Transport extends AutoCloseable {
    /** Sends a request and blocks for the whole answer, whatever its status code. */
    Response send(Request request);

    /**
     * Opens a watch and returns once the server has accepted it.
     *
     * @throws io.atoll.model.ApiException when the server refuses, e.g. with 410 for a revision that is gone
     */
    Stream watch(Request request, WatchSink sink);

    @Override
    void close();

    /**
     * A request.
     *
     * @param path absolute path with encoded query
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Request(String method, String path, Map<String, String> headers, byte[] body) {}

    /** A whole answer. */
    @SuppressWarnings("ArrayRecordComponent")
    record Response(int status, String contentType, byte[] body) {
        /** This response when it is a success. Otherwise throws what its Status says. */
        public Response orThrow() {
            if (status >= 200 && status < 300) {
                return this;
            }
            throw StatusReader.read(status, body);
        }
    }

    /** Receives the events of a watch, in order, on one thread at a time. */
    interface WatchSink {
        /** One encoded watch event: {@code {"type":...,"object":...}}. */
        void onEvent(byte[] event);

        /** The stream ended; reconnect from the last resourceVersion. */
        void onEnd();
    }

    /** An open watch. */
    interface Stream extends AutoCloseable {
        @Override
        void close();
    }
}
