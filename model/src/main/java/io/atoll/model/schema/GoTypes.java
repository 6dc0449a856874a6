package io.atoll.model.schema;

import io.atoll.model.ApiException;
import io.atoll.model.Quantity;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Checks built-in objects as Go's JSON decoder does: it stops at the first value that does not fit its field. */
final class GoTypes {
    private final StringBuilder path = new StringBuilder();

    /** The decoder's message, or null when everything fits. */
    @Nullable
    String mismatch(Schema schema, JsonNode node) {
        return object(schema.structure(), node);
    }

    private @Nullable String object(Schema owner, JsonNode object) {
        int length = path.length();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            Schema known = owner.properties().get(field.getKey());
            if (known != null) {
                path.append('.').append(field.getKey());
                String message = value(known, field.getValue(), owner);
                if (message != null) {
                    return message;
                }
                path.setLength(length);
            }
        }
        return null;
    }

    private @Nullable String value(Schema schema, JsonNode node, Schema owner) {
        if (node.isNull() || !schema.builtIn()) {
            return null;
        }
        if (schema.type() == Schema.Type.ARRAY) {
            return list(schema, node, owner);
        }
        Schema values = schema.additionalProperties();
        if (values != null) {
            return map(values, node, owner);
        }
        return switch (schema.protobufType()) {
            case STRING -> node.isString() ? null : unfit(node, "string", owner);
            case BOOL -> node.isBoolean() ? null : unfit(node, "bool", owner);
            case INT32 -> node.isIntegralNumber() && node.canConvertToInt() ? null : unfit(node, "int32", owner);
            case INT64 -> node.isIntegralNumber() && node.canConvertToLong() ? null : unfit(node, "int64", owner);
            case DOUBLE -> node.isNumber() ? null : unfit(node, "float64", owner);
            case BYTES -> node.isString() ? base64(node.stringValue()) : unfit(node, "[]uint8", owner);
            case QUANTITY -> quantity(node);
            case TIME, MICRO_TIME -> time(node);
            case INT_OR_STRING ->
                node.isString() || (node.isIntegralNumber() && node.canConvertToInt())
                        ? null
                        : unmarshal(node, "int32");
            case MESSAGE -> node.isObject() ? object(schema.structure(), node) : unfit(node, structName(schema), owner);
            default -> null;
        };
    }

    private @Nullable String list(Schema schema, JsonNode node, Schema owner) {
        Schema items = schema.items();
        if (!node.isArray() || items == null) {
            return unfit(node, "[]" + goType(items), owner);
        }
        for (JsonNode item : node) {
            String message = value(items, item, owner);
            if (message != null) {
                return message;
            }
        }
        return null;
    }

    private @Nullable String map(Schema values, JsonNode node, Schema owner) {
        if (!node.isObject()) {
            return unfit(node, "map[string]" + goType(values), owner);
        }
        for (JsonNode entry : node) {
            String message = value(values, entry, owner);
            if (message != null) {
                return message;
            }
        }
        return null;
    }

    private static @Nullable String base64(String text) {
        try {
            Base64.getDecoder().decode(text.replace("\n", "").replace("\r", ""));
            return null;
        } catch (IllegalArgumentException malformed) {
            return "illegal base64 data at input byte " + firstForeign(text);
        }
    }

    private static int firstForeign(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean known =
                    (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "+/=".indexOf(c) >= 0;
            if (!known) {
                return i;
            }
        }
        return text.length();
    }

    private static @Nullable String quantity(JsonNode node) {
        if (!node.isString() && !node.isNumber()) {
            return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
        }
        try {
            Quantity.parse(node.asString());
            return null;
        } catch (ApiException malformed) {
            return malformed.getMessage();
        }
    }

    private static @Nullable String time(JsonNode node) {
        if (!node.isString()) {
            return unmarshal(node, "string");
        }
        String text = node.stringValue();
        return Times.parse(text).isPresent()
                ? null
                : "parsing time \"" + text + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"" + text
                        + "\" as \"2006\"";
    }

    private String unfit(JsonNode node, String goType, Schema owner) {
        return "json: cannot unmarshal " + jsonKind(node) + " into Go struct field " + shortName(owner.reference())
                + path + " of type " + goType;
    }

    private static String unmarshal(JsonNode node, String goType) {
        return "json: cannot unmarshal " + jsonKind(node) + " into Go value of type " + goType;
    }

    private static String jsonKind(JsonNode node) {
        return switch (node.getNodeType()) {
            case BOOLEAN -> "bool";
            case NUMBER -> "number " + node.asString();
            case STRING -> "string";
            case ARRAY -> "array";
            default -> "object";
        };
    }

    private static String goType(@Nullable Schema schema) {
        if (schema == null) {
            return "interface {}";
        }
        return switch (schema.protobufType()) {
            case BOOL -> "bool";
            case INT32 -> "int32";
            case INT64 -> "int64";
            case DOUBLE -> "float64";
            case STRING -> "string";
            case BYTES -> "[]uint8";
            default -> schema.reference().isEmpty() ? "[]string" : structName(schema);
        };
    }

    /** As Go prints a type: the last part of its package and its name, {@code v1.Container}. */
    private static String structName(Schema schema) {
        String name = schema.reference();
        int dot = name.lastIndexOf('.');
        return name.substring(name.lastIndexOf('.', dot - 1) + 1);
    }

    private static String shortName(String definition) {
        return definition.substring(definition.lastIndexOf('.') + 1);
    }
}
