package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One step of a field path in the text that {@code fieldsV1} uses: {@code f:name} a field, {@code k:{"name":"a"}} a
 * list item by its keys, {@code v:"a"} a list item by its value, {@code i:0} one by its place. Stateless.
 */
final class PathElement {
    private PathElement() {}

    static String field(String name) {
        return "f:" + name;
    }

    static String value(JsonNode value) {
        return "v:" + Json.encodeToString(value);
    }

    /** Keys are written sorted by name. */
    static String keys(Map<String, JsonNode> keys) {
        ObjectNode sorted = Json.object();
        new TreeMap<>(keys).forEach(sorted::set);
        return "k:" + Json.encodeToString(sorted);
    }

    /** Fields come first, then keys, values, places. */
    static int rank(String element) {
        return switch (element.charAt(0)) {
            case 'f' -> 0;
            case 'k' -> 1;
            case 'v' -> 2;
            default -> 3;
        };
    }

    /** The same element in the one form that is used here, whoever wrote it. */
    static String canonical(String element) {
        if (element.length() < 2 || element.charAt(1) != ':' || "fkvi".indexOf(element.charAt(0)) < 0) {
            throw ApiException.badRequest("bad serialized path element: " + element);
        }
        return switch (element.charAt(0)) {
            case 'k' -> {
                Map<String, JsonNode> keys = new TreeMap<>();
                json(element).properties().forEach(entry -> keys.put(entry.getKey(), entry.getValue()));
                yield keys(keys);
            }
            case 'v' -> value(json(element));
            default -> element;
        };
    }

    /** As in messages: {@code .name}, {@code [name="a"]}, {@code [="a"]}, {@code [0]}. */
    static String display(String element) {
        return switch (element.charAt(0)) {
            case 'f' -> "." + element.substring(2);
            case 'k' -> {
                StringJoiner keys = new StringJoiner(",", "[", "]");
                json(element)
                        .properties()
                        .forEach(entry -> keys.add(entry.getKey() + "=" + Json.encodeToString(entry.getValue())));
                yield keys.toString();
            }
            case 'v' -> "[=" + element.substring(2) + "]";
            default -> "[" + element.substring(2) + "]";
        };
    }

    private static JsonNode json(String element) {
        try {
            return Json.parseValue(element.substring(2).getBytes(StandardCharsets.UTF_8));
        } catch (JacksonException | ApiException e) {
            throw new ApiException(io.atoll.model.StatusReason.BadRequest, "bad serialized path element: " + element);
        }
    }
}
