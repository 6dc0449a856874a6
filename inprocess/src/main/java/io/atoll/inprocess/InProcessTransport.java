package io.atoll.inprocess;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.Cluster;
import io.atoll.apiserver.UserInfo;
import io.atoll.client.Transport;
import io.atoll.model.pod.ByteSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends requests straight into a {@link Cluster} of this process, as one fixed user. Immutable; any thread.
 *
 * <p>Requests pass the same authorization, admission and validation as those that come over HTTP.
 */
public final class InProcessTransport implements Transport {
    /** Who the built-in controllers are, as in a kube-controller-manager with the administrator's credentials. */
    public static final UserInfo CONTROLLER_MANAGER =
            UserInfo.of("system:kube-controller-manager", UserInfo.SYSTEM_MASTERS, UserInfo.SYSTEM_AUTHENTICATED);

    private final Cluster cluster;
    private final UserInfo user;

    public InProcessTransport(Cluster cluster, UserInfo user) {
        this.cluster = cluster;
        this.user = user;
    }

    @Override
    public Response send(Request request) {
        return switch (cluster.handle(decode(request))) {
            case ApiResponse.Full full -> whole(full);
            case ApiResponse.Stream stream -> new Response(200, stream.contentType(), drain(stream.body()));
            case ApiResponse.Watch _ -> throw new IllegalArgumentException("a watch is opened with watch()");
            case ApiResponse.Upgrade _ ->
                throw new IllegalArgumentException("streams into pods do not pass through this transport");
        };
    }

    @Override
    public Stream watch(Request request, WatchSink sink) {
        return switch (cluster.handle(decode(request))) {
            case ApiResponse.Watch watch -> {
                WatchPump pump = new WatchPump(sink);
                watch.body().start(pump);
                yield pump;
            }
            case ApiResponse.Full full -> {
                whole(full).orThrow();
                throw new IllegalArgumentException("not a watch: " + request.path());
            }
            case ApiResponse.Stream _, ApiResponse.Upgrade _ ->
                throw new IllegalArgumentException("not a watch: " + request.path());
        };
    }

    /** The cluster stays its owner's to close. */
    @Override
    public void close() {}

    private ApiRequest decode(Request request) {
        int mark = request.path().indexOf('?');
        String path = mark < 0 ? request.path() : request.path().substring(0, mark);
        String query = mark < 0 ? "" : request.path().substring(mark + 1);
        return new ApiRequest(
                request.method(),
                path.indexOf('%') < 0 ? path : decode(path.replace("+", "%2B")),
                parameters(query),
                request.headers(),
                request.body(),
                user);
    }

    private static Map<String, List<String>> parameters(String query) {
        if (query.isEmpty()) {
            return Map.of();
        }
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            parameters.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
        }
        return parameters;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static Response whole(ApiResponse.Full full) {
        List<byte[]> segments = full.segments();
        if (segments.size() == 1) {
            return new Response(full.status(), full.contentType(), segments.getFirst());
        }
        int length = 0;
        for (byte[] segment : segments) {
            length += segment.length;
        }
        byte[] body = new byte[length];
        int at = 0;
        for (byte[] segment : segments) {
            System.arraycopy(segment, 0, body, at, segment.length);
            at += segment.length;
        }
        return new Response(full.status(), full.contentType(), body);
    }

    private static byte[] drain(ApiResponse.StreamBody body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            body.writeTo(new ByteSink() {
                @Override
                public void write(byte[] chunk) {
                    out.writeBytes(chunk);
                }

                @Override
                public boolean closed() {
                    return false;
                }

                @Override
                public void onClose(Runnable action) {}
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
