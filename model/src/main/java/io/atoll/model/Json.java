package io.atoll.model;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON text to trees and back: compact, fields in the order written. What cannot be read is a 400 {@link ApiException}.
 * Stateless; any thread.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    /**
     * A parsed object with what a lenient parse hides.
     *
     * @param duplicates paths of fields given more than once, e.g. {@code spec.containers[0].image}; the last value won
     */
    public record Strict(ObjectNode tree, List<String> duplicates) {
        public Strict {
            duplicates = List.copyOf(duplicates);
        }
    }

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    public static ArrayNode array() {
        return NODES.arrayNode();
    }

    /** Parses one object. The last of duplicate fields wins. */
    public static ObjectNode parse(byte[] json) {
        return asObject(parseValue(json));
    }

    public static ObjectNode parse(String json) {
        return parse(json.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** Parses any JSON value: an array for a JSON patch, say. */
    public static JsonNode parseValue(byte[] json) {
        try {
            return asValue(MAPPER.readTree(json));
        } catch (JacksonException e) {
            throw unreadable(e);
        }
    }

    /** Parses one object and tells of its duplicate fields. */
    public static Strict parseStrict(byte[] json) {
        List<String> duplicates = new ArrayList<>();
        try (JsonParser parser = MAPPER.createParser(json)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw ApiException.badRequest("unexpected end of JSON input");
            }
            JsonNode tree = strictValue(parser, first, new ArrayDeque<>(), duplicates);
            if (parser.nextToken() != null) {
                throw ApiException.badRequest("invalid character after top-level value");
            }
            return new Strict(asObject(tree), duplicates);
        } catch (JacksonException e) {
            throw unreadable(e);
        }
    }

    public static byte[] encode(JsonNode tree) {
        return MAPPER.writeValueAsBytes(tree);
    }

    public static String encodeToString(JsonNode tree) {
        return MAPPER.writeValueAsString(tree);
    }

    /** Equality of values: {@code 1}, {@code 1L} and {@code 1.0} are the same number, field order does not matter. */
    public static boolean same(JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) {
            return left.equals(right) || number(left).compareTo(number(right)) == 0;
        }
        if (left.isObject() && right.isObject()) {
            if (left.size() != right.size()) {
                return false;
            }
            for (Map.Entry<String, JsonNode> field : left.properties()) {
                JsonNode other = right.get(field.getKey());
                if (other == null || !same(field.getValue(), other)) {
                    return false;
                }
            }
            return true;
        }
        if (left.isArray() && right.isArray()) {
            if (left.size() != right.size()) {
                return false;
            }
            for (int i = 0; i < left.size(); i++) {
                if (!same(left.get(i), right.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return left.equals(right);
    }

    /** The object under a field, created when it is missing or not an object. */
    public static ObjectNode child(ObjectNode parent, String field) {
        return parent.get(field) instanceof ObjectNode present ? present : parent.putObject(field);
    }

    private static BigDecimal number(JsonNode node) {
        return node.decimalValue();
    }

    private static JsonNode strictValue(
            JsonParser parser, JsonToken token, Deque<String> path, List<String> duplicates) {
        return switch (token) {
            case START_OBJECT -> {
                ObjectNode object = NODES.objectNode();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    path.addLast(path.isEmpty() ? name : "." + name);
                    if (object.has(name)) {
                        duplicates.add(String.join("", path));
                    }
                    object.set(name, strictValue(parser, parser.nextToken(), path, duplicates));
                    path.removeLast();
                }
                yield object;
            }
            case START_ARRAY -> {
                ArrayNode array = NODES.arrayNode();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    path.addLast("[" + array.size() + "]");
                    array.add(strictValue(parser, next, path, duplicates));
                    path.removeLast();
                }
                yield array;
            }
            default -> asValue(parser.readValueAsTree());
        };
    }

    private static JsonNode asValue(@Nullable JsonNode node) {
        if (node == null || node.isMissingNode()) {
            throw ApiException.badRequest("unexpected end of JSON input");
        }
        return node;
    }

    private static ObjectNode asObject(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw ApiException.badRequest("json: cannot unmarshal " + kind(node) + " into a Kubernetes object");
    }

    private static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "array";
            case STRING -> "string";
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            case OBJECT -> "object";
            case BINARY, MISSING, NULL, POJO -> "null";
        };
    }

    private static ApiException unreadable(JacksonException e) {
        return ApiException.badRequest("invalid JSON: " + e.getOriginalMessage());
    }
}
