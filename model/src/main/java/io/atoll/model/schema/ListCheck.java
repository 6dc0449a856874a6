package io.atoll.model.schema;

import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Checks that sets and maps of a custom resource hold no item twice, and that embedded objects say what they are. */
final class ListCheck {
    private final FieldErrors errors;

    ListCheck(FieldErrors errors) {
        this.errors = errors;
    }

    void check(Schema schema, JsonNode value, String path) {
        if (schema.builtIn()) {
            return;
        }
        if (value.isArray()) {
            list(schema, value, path);
        } else if (value.isObject()) {
            if (schema.embeddedResource() && !path.isEmpty()) {
                embedded(value, path);
            }
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                Schema known = schema.property(field.getKey());
                if (known != null) {
                    boolean key = !schema.properties().containsKey(field.getKey());
                    String child = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                    check(known, field.getValue(), key ? path + "[" + field.getKey() + "]" : child);
                }
            }
        }
    }

    private void list(Schema schema, JsonNode list, String path) {
        if (schema.listType() != Schema.ListType.ATOMIC) {
            unique(schema, list, path);
        }
        for (int i = 0; schema.items() != null && i < list.size(); i++) {
            check(schema.items(), list.get(i), path + "[" + i + "]");
        }
    }

    private void unique(Schema schema, JsonNode list, String path) {
        Map<JsonNode, Integer> seen = new HashMap<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode item = list.get(i);
            boolean map = schema.listType() == Schema.ListType.MAP;
            if (map && !item.isObject() && !item.isNull()) {
                errors.invalid(path + "[" + i + "]", item, "must be an object for an array of list-type map");
                return;
            }
            JsonNode key = map ? key(schema, item) : item;
            if (seen.merge(key, 1, Integer::sum) == 2) {
                errors.duplicate(path + "[" + i + "]", key);
            }
        }
    }

    private static JsonNode key(Schema schema, JsonNode item) {
        ObjectNode key = JsonNodeFactory.instance.objectNode();
        for (String name : schema.listMapKeys()) {
            JsonNode value = item.get(name);
            if (value != null) {
                key.set(name, value);
            }
        }
        return key;
    }

    private void embedded(JsonNode value, String path) {
        for (String name : new String[] {"apiVersion", "kind"}) {
            JsonNode field = value.get(name);
            if (field == null) {
                errors.required(path + "." + name, "");
            } else if (!field.isString()) {
                errors.invalid(path + "." + name, field, "must be a string");
            } else if (field.stringValue().isEmpty()) {
                errors.invalid(path + "." + name, field, "must not be empty");
            }
        }
    }
}
