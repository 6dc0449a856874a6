package io.atoll.model.schema;

import io.atoll.model.ApiException;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The rules for defaults in a structural schema: known fields only, and valid by the schema they stand in. */
final class DefaultRules {
    private final FieldErrors errors;

    DefaultRules(FieldErrors errors) {
        this.errors = errors;
    }

    void check(JsonNode root, String path) {
        for (Map.Entry<String, JsonNode> property : root.path("properties").properties()) {
            String child = path + ".properties[" + property.getKey() + "]";
            if (java.util.Set.of("apiVersion", "kind", "metadata").contains(property.getKey())) {
                if (property.getValue().has("default")) {
                    errors.forbidden(child + ".default", "must not be set in top-level " + property.getKey());
                }
            } else {
                node(property.getValue(), child);
            }
        }
    }

    private void node(JsonNode node, String path) {
        JsonNode start = node.path("default");
        if (!start.isMissingNode() && !start.isNull()) {
            Schema schema = StructuralSchema.read(node, false);
            if (!Pruning.prune(schema, start.deepCopy()).isEmpty()) {
                errors.invalid(path + ".default", start, "must not have unknown fields");
            }
            for (ApiException.Cause cause : SchemaValidator.validate(schema, start)) {
                String inside = cause.field().equals("<nil>") ? "" : "." + cause.field();
                errors.causes()
                        .add(new ApiException.Cause(cause.reason(), cause.message(), path + ".default" + inside));
            }
        }
        if (node.path("items").isObject()) {
            node(node.path("items"), path + ".items");
        }
        for (Map.Entry<String, JsonNode> property : node.path("properties").properties()) {
            node(property.getValue(), path + ".properties[" + property.getKey() + "]");
        }
    }
}
