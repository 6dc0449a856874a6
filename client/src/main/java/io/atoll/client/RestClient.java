package io.atoll.client;

import io.atoll.model.ApiException;
import io.atoll.model.ResourceType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Kubernetes REST conventions over a {@link Transport}. Immutable; any thread. The transport stays its owner's to
 * close.
 */
public final class RestClient implements Client {
    private static final byte[] NO_BODY = {};
    private static final String JSON = "application/json";

    private final Transport transport;
    private final String userAgent;

    /** @param userAgent names the caller in logs and in managed fields, e.g. {@code kube-controller-manager} */
    public RestClient(Transport transport, String userAgent) {
        this.transport = transport;
        this.userAgent = userAgent;
    }

    @Override
    public ObjectNode get(ResourceType type, String namespace, String name) {
        return JsonBytes.object(read(path(type, namespace, name, "")));
    }

    @Override
    public Optional<ObjectNode> find(ResourceType type, String namespace, String name) {
        Transport.Response response =
                transport.send(new Transport.Request("GET", path(type, namespace, name, ""), headers(JSON), NO_BODY));
        if (response.status() == 404) {
            return Optional.empty();
        }
        return Optional.of(JsonBytes.object(response.orThrow().body()));
    }

    @Override
    public ObjectNode list(ResourceType type, String namespace, ListOptions options) {
        return JsonBytes.object(read(path(type, namespace, "", "") + query(options, false)));
    }

    /** As {@link #list}, still encoded. */
    byte[] listBytes(ResourceType type, ListOptions options) {
        return read(path(type, "", "", "") + query(options, false));
    }

    @Override
    public ObjectNode create(ResourceType type, String namespace, ObjectNode object) {
        return write("POST", path(type, namespace, "", ""), JSON, object);
    }

    @Override
    public ObjectNode update(ResourceType type, ObjectNode object) {
        return write("PUT", path(type, object, ""), JSON, object);
    }

    @Override
    public ObjectNode updateStatus(ResourceType type, ObjectNode object) {
        return write("PUT", path(type, object, "status"), JSON, object);
    }

    @Override
    public ObjectNode patch(
            ResourceType type, String namespace, String name, String subresource, PatchType patchType, JsonNode patch) {
        return write("PATCH", path(type, namespace, name, subresource), patchType.contentType(), patch);
    }

    @Override
    public ObjectNode apply(ResourceType type, String namespace, String name, String fieldManager, ObjectNode object) {
        String query = "?fieldManager=" + encode(fieldManager) + "&force=true";
        return write("PATCH", path(type, namespace, name, "") + query, PatchType.APPLY.contentType(), object);
    }

    @Override
    public ObjectNode createSubresource(
            ResourceType type, String namespace, String name, String subresource, ObjectNode body) {
        return write("POST", path(type, namespace, name, subresource), JSON, body);
    }

    @Override
    public void delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        write("DELETE", path(type, namespace, name, ""), JSON, body(options));
    }

    @Override
    public void deleteAll(ResourceType type, String namespace, ListOptions selection, DeleteOptions options) {
        write("DELETE", path(type, namespace, "", "") + query(selection, false), JSON, body(options));
    }

    @Override
    public byte[] raw(String method, String path, byte[] body) {
        return transport
                .send(new Transport.Request(method, path, headers(JSON), body))
                .orThrow()
                .body();
    }

    @Override
    public Transport.Stream watch(ResourceType type, String namespace, ListOptions options, Transport.WatchSink sink) {
        String path = path(type, namespace, "", "") + query(options, true);
        return transport.watch(new Transport.Request("GET", path, headers(JSON), NO_BODY), sink);
    }

    private byte[] read(String path) {
        return transport
                .send(new Transport.Request("GET", path, headers(JSON), NO_BODY))
                .orThrow()
                .body();
    }

    private ObjectNode write(String method, String path, String contentType, JsonNode body) {
        byte[] bytes = JsonBytes.MAPPER.writeValueAsBytes(body);
        Transport.Response response = transport.send(new Transport.Request(method, path, headers(contentType), bytes));
        return JsonBytes.object(response.orThrow().body());
    }

    private Map<String, String> headers(String contentType) {
        return Map.of("accept", JSON, "content-type", contentType, "user-agent", userAgent);
    }

    private static ObjectNode body(DeleteOptions options) {
        ObjectNode body = JsonBytes.MAPPER.createObjectNode();
        body.put("kind", "DeleteOptions").put("apiVersion", "v1");
        if (options.gracePeriodSeconds() >= 0) {
            body.put("gracePeriodSeconds", options.gracePeriodSeconds());
        }
        if (!options.propagationPolicy().isEmpty()) {
            body.put("propagationPolicy", options.propagationPolicy());
        }
        if (!options.uid().isEmpty()) {
            body.putObject("preconditions").put("uid", options.uid());
        }
        return body;
    }

    private static String path(ResourceType type, ObjectNode object, String subresource) {
        JsonNode metadata = object.path("metadata");
        String name = metadata.path("name").asString("");
        if (name.isEmpty()) {
            throw ApiException.badRequest("the object has no name");
        }
        return path(type, metadata.path("namespace").asString(""), name, subresource);
    }

    private static String path(ResourceType type, String namespace, String name, String subresource) {
        StringBuilder path = new StringBuilder(96);
        if (type.group().isEmpty()) {
            path.append("/api/");
        } else {
            path.append("/apis/").append(type.group()).append('/');
        }
        path.append(type.version());
        if (type.namespaced() && !namespace.isEmpty()) {
            path.append("/namespaces/").append(encode(namespace));
        }
        path.append('/').append(type.resource());
        if (!name.isEmpty()) {
            path.append('/').append(encode(name));
        }
        if (!subresource.isEmpty()) {
            path.append('/').append(subresource);
        }
        return path.toString();
    }

    private static String query(ListOptions options, boolean watch) {
        StringBuilder query = new StringBuilder();
        if (watch) {
            parameter(query, "watch", "1");
            parameter(query, "allowWatchBookmarks", "true");
        }
        parameter(query, "labelSelector", options.labelSelector());
        parameter(query, "fieldSelector", options.fieldSelector());
        parameter(query, "resourceVersion", options.resourceVersion());
        parameter(query, "limit", options.limit() > 0 ? Integer.toString(options.limit()) : "");
        parameter(query, "continue", options.token());
        return query.toString();
    }

    private static void parameter(StringBuilder query, String name, String value) {
        if (!value.isEmpty()) {
            query.append(query.isEmpty() ? '?' : '&').append(name).append('=').append(encode(value));
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
