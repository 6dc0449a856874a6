package io.atoll.model.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes fields that a schema does not know, in place. */
public final class Pruning {
    private final List<String> unknown = new ArrayList<>();
    private final StringBuilder path = new StringBuilder();

    private Pruning() {}

    /** Prunes and says what was removed, as strict decoding names it: {@code spec.containers[0].foo}. */
    public static List<String> prune(Schema schema, JsonNode tree) {
        Pruning pruning = new Pruning();
        pruning.node(schema, tree);
        return List.copyOf(pruning.unknown);
    }

    private void node(Schema schema, JsonNode node) {
        if (node.isObject()) {
            object(schema.structure(), (ObjectNode) node);
        } else if (node.isArray() && schema.items() != null) {
            int length = path.length();
            for (int i = 0; i < node.size(); i++) {
                path.append('[').append(i).append(']');
                node(schema.items(), node.get(i));
                path.setLength(length);
            }
        }
    }

    private void object(Schema schema, ObjectNode object) {
        if (schema.type() != Schema.Type.OBJECT && schema.properties().isEmpty()) {
            return; // not an object by its schema: for the type check to say
        }
        List<String> foreign = new ArrayList<>(0);
        int length = path.length();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            Schema known = schema.property(field.getKey());
            path.append(length == 0 ? "" : ".").append(field.getKey());
            if (known != null) {
                node(known, field.getValue());
            } else if (!schema.preserveUnknownFields()) {
                foreign.add(field.getKey());
                unknown.add(path.toString());
            }
            path.setLength(length);
        }
        if (!foreign.isEmpty()) {
            object.remove(foreign);
        }
    }
}
