package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Extension.PathHandler;
import io.atoll.apiserver.registry.Registry;
import io.atoll.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** {@code /healthz}, {@code /livez}, {@code /readyz} and {@code /version}. Any thread. */
public final class Health {
    private static final String GIT_VERSION = "v1.36.0";

    private final Registry registry;

    public Health(Registry registry) {
        this.registry = registry;
    }

    /** Adds the paths that no extension has taken. */
    public void register(Map<String, PathHandler> paths) {
        for (String path : new String[] {"/healthz", "/livez", "/readyz"}) {
            paths.putIfAbsent(path, this::check);
        }
        paths.putIfAbsent("/version", _ -> version());
    }

    /** Reading the store's revision fails when the store does. */
    private ApiResponse check(ApiRequest request) {
        registry.store().revision();
        String text = "ok";
        if (request.parameter("verbose") != null) {
            String path = request.path().substring(1);
            text = "[+]ping ok\n[+]store ok\n" + path + " check passed\n";
        }
        return new ApiResponse.Full(
                200,
                "text/plain; charset=utf-8",
                Map.of("X-Content-Type-Options", "nosniff"),
                java.util.List.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static ApiResponse version() {
        ObjectNode version = Json.object();
        version.put("major", "1")
                .put("minor", "36")
                .put("gitVersion", GIT_VERSION)
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "2026-12-01T00:00:00Z")
                .put("goVersion", "")
                .put("compiler", "")
                .put("platform", "linux/amd64");
        return ApiResponse.Full.of(200, "application/json", Json.encode(version));
    }
}
