package io.atoll.apiserver;

import io.atoll.apiserver.authn.ClusterAuthenticator;
import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.pki.ClusterKeys;
import io.atoll.apiserver.pki.SubjectNames;
import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.base.TenantId;
import io.atoll.model.Json;
import io.atoll.model.Yaml;
import io.atoll.store.sqlite.SqliteStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/** A cluster with all standard extensions over a store in a folder. */
public final class WholeCluster implements AutoCloseable {
    public static final UserInfo ADMIN = UserInfo.of("admin", UserInfo.SYSTEM_MASTERS, UserInfo.SYSTEM_AUTHENTICATED);

    public final ClusterKeys keys;
    public final ClusterApi api;
    private final Map<TenantId, ServiceAccountTokens> tokens = new ConcurrentHashMap<>();

    /** A status code and a body. */
    public record Answer(int status, ObjectNode body) {
        public String message() {
            return body.path("message").asString("");
        }
    }

    public WholeCluster(Path folder) {
        InstantSource clock = InstantSource.system();
        keys = ClusterKeys.generate("whole", SubjectNames.standard(), clock);
        api = ClusterApi.open(
                TenantId.HOST,
                ClusterOptions.of(SqliteStore.open(folder.resolve("whole.db")))
                        .withExtensions(StandardExtensions.of(cluster -> tokens(cluster, clock)))
                        .withAuthenticator(cluster -> new ClusterAuthenticator(
                                List.of(keys.authority().certificate()), tokens(cluster, clock), clock)));
    }

    private ServiceAccountTokens tokens(ClusterContext cluster, InstantSource clock) {
        return tokens.computeIfAbsent(
                cluster.tenant(),
                tenant -> new ServiceAccountTokens(
                        "https://issuer", keys.serviceAccount(), List.of(), cluster.objects(), clock));
    }

    public Answer post(UserInfo user, String path, String yaml) {
        return send(user, "POST", path, yaml);
    }

    public Answer get(UserInfo user, String path) {
        return send(user, "GET", path, "");
    }

    public Answer delete(UserInfo user, String path) {
        return send(user, "DELETE", path, "");
    }

    private Answer send(UserInfo user, String method, String path, String yaml) {
        byte[] body = yaml.isEmpty() ? new byte[0] : Json.encode(Yaml.parse(yaml));
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("content-type", "application/json");
        headers.put("accept", "application/json");
        ApiResponse response = api.handle(new ApiRequest(method, path, Map.of(), headers, body, user));
        if (!(response instanceof ApiResponse.Full full)) {
            throw new AssertionError("not a whole answer: " + response);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        full.segments().forEach(out::writeBytes);
        String text = out.toString(StandardCharsets.UTF_8);
        return new Answer(full.status(), text.startsWith("{") ? Json.parse(text) : Json.object());
    }

    @Override
    public void close() {
        api.close();
    }
}
