package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.ClusterApi;
import io.atoll.apiserver.ClusterOptions;
import io.atoll.apiserver.UserInfo;
import io.atoll.base.TenantId;
import io.atoll.model.Json;
import io.atoll.model.Yaml;
import io.atoll.store.sqlite.SqliteStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A cluster on a store in a folder, and requests as a client would send them. */
final class ApiFixture implements AutoCloseable {
    static final UserInfo ADMIN = UserInfo.of("admin", UserInfo.SYSTEM_MASTERS, UserInfo.SYSTEM_AUTHENTICATED);

    final ClusterApi api;

    /** An answer with its body as a tree. */
    record Answer(int status, ObjectNode body, Map<String, String> headers) {
        String text(String... path) {
            tools.jackson.databind.JsonNode node = body;
            for (String step : path) {
                node = node.path(step);
            }
            return node.asString("");
        }
    }

    /** The events of a watch. */
    static final class Events implements ApiResponse.WatchSink {
        private final BlockingQueue<ObjectNode> queue = new LinkedBlockingQueue<>();
        private final List<Runnable> onClose = new ArrayList<>();
        private volatile boolean ended;

        @Override
        public boolean offer(byte[] event) {
            return queue.add(Json.parse(event));
        }

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public void onClose(Runnable action) {
            onClose.add(action);
        }

        /** {@code TYPE name}. */
        String next() {
            ObjectNode event = nextEvent();
            return event.path("type").asString("") + " "
                    + event.path("object").path("metadata").path("name").asString("");
        }

        ObjectNode nextEvent() {
            try {
                ObjectNode event = queue.poll(10, TimeUnit.SECONDS);
                if (event == null) {
                    throw new AssertionError("no event");
                }
                return event;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        boolean none() {
            return queue.isEmpty();
        }

        boolean ended() {
            return ended;
        }

        void close() {
            onClose.forEach(Runnable::run);
        }
    }

    ApiFixture(Path folder) {
        this(ClusterOptions.of(SqliteStore.open(folder.resolve("store.db"))));
    }

    ApiFixture(ClusterOptions options) {
        api = ClusterApi.open(new TenantId("team", "test"), options);
    }

    Answer get(String path) {
        return send("GET", path, null, Map.of());
    }

    Answer post(String path, String yaml) {
        return send("POST", path, Json.encode(Yaml.parse(yaml)), Map.of());
    }

    Answer put(String path, ObjectNode object) {
        return send("PUT", path, Json.encode(object), Map.of());
    }

    Answer patch(String path, String type, String body) {
        return send("PATCH", path, body.getBytes(StandardCharsets.UTF_8), Map.of("content-type", type));
    }

    Answer delete(String path) {
        return send("DELETE", path, null, Map.of());
    }

    Answer send(String method, String path, byte @Nullable [] body, Map<String, String> headers) {
        return as(ADMIN, method, path, body, headers);
    }

    Answer as(UserInfo user, String method, String path, byte @Nullable [] body, Map<String, String> headers) {
        return switch (api.handle(request(user, method, path, body, headers))) {
            case ApiResponse.Full full -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                full.segments().forEach(bytes::writeBytes);
                ObjectNode tree = full.contentType().contains("json")
                        ? Json.parse(bytes.toByteArray())
                        : Json.object().put("text", bytes.toString(StandardCharsets.UTF_8));
                yield new Answer(full.status(), tree, full.headers());
            }
            case ApiResponse.Watch _, ApiResponse.Stream _, ApiResponse.Upgrade _ ->
                throw new AssertionError("not a whole answer");
        };
    }

    Events watch(String path) {
        ApiResponse response = api.handle(request(ADMIN, "GET", path, null, Map.of()));
        if (response instanceof ApiResponse.Watch watch) {
            Events events = new Events();
            watch.body().start(events);
            return events;
        }
        throw new AssertionError("not a watch: " + response);
    }

    private static ApiRequest request(
            UserInfo user, String method, String path, byte @Nullable [] body, Map<String, String> headers) {
        int mark = path.indexOf('?');
        Map<String, List<String>> query = new LinkedHashMap<>();
        if (mark >= 0) {
            for (String pair : path.substring(mark + 1).split("&")) {
                String[] sides = pair.split("=", 2);
                query.computeIfAbsent(sides[0], _ -> new ArrayList<>()).add(sides.length > 1 ? sides[1] : "");
            }
        }
        return new ApiRequest(
                method,
                mark < 0 ? path : path.substring(0, mark),
                query,
                headers,
                body == null ? new byte[0] : body,
                user);
    }

    @Override
    public void close() {
        api.close();
    }
}
