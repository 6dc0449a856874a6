package io.atoll.model.schema;

import io.atoll.model.ApiException;
import io.atoll.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills absent fields with their schema's defaults, in place.
 *
 * <p>A built-in object also takes the form that it has after Kubernetes decoded and encoded it: nulls and zero values
 * of fields that leave zero out are gone, fields that are always written are there, quantities and times are
 * canonical. Custom resources get just their defaults, and lose the nulls of fields that have one.
 */
public final class Defaults {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Defaults() {}

    /** Applies the defaults to a valid tree; what has the wrong type is left alone. */
    public static void apply(Schema schema, JsonNode tree) {
        if (tree.isObject()) {
            object(schema.structure(), (ObjectNode) tree);
        } else if (tree.isArray()) {
            array(schema, (ArrayNode) tree);
        }
    }

    private static void object(Schema schema, ObjectNode object) {
        Map<String, Schema> properties = schema.properties();
        for (Map.Entry<String, Schema> property : properties.entrySet()) {
            field(object, property.getKey(), property.getValue());
        }
        Schema values = schema.additionalProperties();
        if (values != null) {
            mapValues(properties.keySet(), values, object);
        }
    }

    private static void field(ObjectNode object, String name, Schema schema) {
        JsonNode value = object.get(name);
        if (value == null || isAbsent(schema, value)) {
            JsonNode start = schema.defaultValue();
            if (start == null && schema.builtIn()) {
                start = schema.presence() == Schema.Presence.ALWAYS ? zero(schema) : null;
            }
            if (start != null) {
                value = start.deepCopy();
                object.set(name, value);
            } else if (value != null && schema.builtIn()) {
                object.remove(name);
                return;
            }
        }
        if (value != null) {
            JsonNode canonical = canonical(schema, value);
            if (!canonical.equals(value)) {
                object.set(name, canonical);
            }
            apply(schema, canonical);
        }
    }

    private static void array(Schema schema, ArrayNode array) {
        Schema items = schema.items();
        for (int i = 0; items != null && i < array.size(); i++) {
            JsonNode canonical = canonical(items, array.get(i));
            if (!canonical.equals(array.get(i))) {
                array.set(i, canonical);
            }
            apply(items, canonical);
        }
    }

    private static void mapValues(Set<String> fields, Schema values, ObjectNode map) {
        List<String> keys = new ArrayList<>(map.propertyNames());
        for (String key : keys) {
            if (!fields.contains(key)) {
                JsonNode value = map.get(key);
                JsonNode canonical = canonical(values, value);
                if (values.defaultValue() != null && value.isNull() && !values.nullable()) {
                    canonical = values.defaultValue().deepCopy();
                }
                if (!canonical.equals(value)) {
                    map.set(key, canonical);
                }
                apply(values, canonical);
            }
        }
    }

    /** Whether a value that is there counts as not set. */
    private static boolean isAbsent(Schema schema, JsonNode value) {
        if (!schema.builtIn()) {
            return value.isNull() && !schema.nullable() && schema.defaultValue() != null;
        }
        if (value.isNull()) {
            return !(schema.preserveUnknownFields() && schema.structure().protobufType() == ProtobufType.RAW_JSON);
        }
        boolean replaceable = schema.presence() == Schema.Presence.ALWAYS && schema.defaultValue() != null;
        return schema.leavesOut(value) || (replaceable && Schema.isZero(value));
    }

    /** What an always written field shows when nothing was set; null for a list, which stays absent. */
    private static @Nullable JsonNode zero(Schema schema) {
        return switch (schema.protobufType()) {
            case STRING, BYTES -> NODES.stringNode("");
            case BOOL -> NODES.booleanNode(false);
            case INT32, INT64, INT_OR_STRING -> NODES.numberNode(0);
            case DOUBLE -> NODES.numberNode(0.0);
            case QUANTITY -> NODES.stringNode("0");
            case MESSAGE -> NODES.objectNode();
            default -> null;
        };
    }

    private static JsonNode canonical(Schema schema, JsonNode value) {
        if (!schema.builtIn() || value.isContainer()) {
            return value;
        }
        String text = value.asString("");
        String canonical = switch (schema.protobufType()) {
            case QUANTITY -> quantity(text);
            case TIME -> Times.canonical(text, false);
            case MICRO_TIME -> Times.canonical(text, true);
            default -> text;
        };
        boolean same = canonical.equals(text) && (value.isString() || schema.protobufType() != ProtobufType.QUANTITY);
        return same ? value : NODES.stringNode(canonical);
    }

    private static String quantity(String text) {
        try {
            return Quantity.parse(text).canonical();
        } catch (ApiException malformed) {
            return text; // the type check says so
        }
    }
}
