package io.atoll.apiserver.registry;

import io.atoll.model.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How objects are written to the store: compact JSON that starts with kind, apiVersion and metadata and has no
 * resourceVersion, which the watch cache splices in. Stateless.
 */
final class StoredForm {
    private StoredForm() {}

    static byte[] encode(ObjectNode object) {
        ObjectNode ordered = Json.object();
        ordered.set("kind", object.path("kind"));
        ordered.set("apiVersion", object.path("apiVersion"));
        ObjectNode metadata = Json.object();
        for (Map.Entry<String, JsonNode> field : object.path("metadata").properties()) {
            if (!field.getKey().equals("resourceVersion") && !field.getKey().equals("selfLink")) {
                metadata.set(field.getKey(), field.getValue());
            }
        }
        ordered.set("metadata", metadata);
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (!ordered.has(field.getKey())) {
                ordered.set(field.getKey(), field.getValue());
            }
        }
        return Json.encode(ordered);
    }
}
