package io.atoll.apiserver.table;

import io.atoll.model.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns the value that a printer column's path leads to into a cell of the column's type. */
final class CustomCell {
    private CustomCell() {}

    /** Empty when the value does not fit the type. */
    static Optional<Object> of(String type, JsonNode value, Instant now) {
        return switch (type) {
            case "integer" -> value.isNumber() ? Optional.of(value.asLong()) : Optional.empty();
            case "number" -> number(value);
            case "boolean" -> value.isBoolean() ? Optional.of(value.asBoolean()) : Optional.empty();
            case "date" ->
                value.isString() ? Optional.of(HumanDuration.since(value.asString(), now)) : Optional.empty();
            case "string" -> text(value);
            default -> Optional.empty();
        };
    }

    private static Optional<Object> text(JsonNode value) {
        if (value.isNull()) {
            return Optional.empty();
        }
        return Optional.of(value.isContainer() ? Json.encodeToString(sorted(value)) : value.asString());
    }

    private static Optional<Object> number(JsonNode value) {
        if (!value.isNumber()) {
            return Optional.empty();
        }
        return value.isIntegralNumber() ? Optional.of(value.asLong()) : Optional.of(value.asDouble());
    }

    private static JsonNode sorted(JsonNode value) {
        if (!value.isObject()) {
            return value;
        }
        Map<String, JsonNode> entries = new TreeMap<>();
        value.properties().forEach(entry -> entries.put(entry.getKey(), sorted(entry.getValue())));
        ObjectNode result = Json.object();
        entries.forEach(result::set);
        return result;
    }
}
