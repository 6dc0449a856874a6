package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.StatusReason;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Schemas;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * How a value is owned and merged: as one thing, field by field, or item by item. What the schema does not say is
 * deduced: objects field by field, lists as one. Stateless.
 */
enum Shape {
    /** A plain value, or an object or list owned as one. */
    ATOMIC,
    /** An object owned field by field. */
    FIELDS,
    /** A list whose items are found by keys. */
    KEYED_LIST,
    /** A list of distinct plain values. */
    SET;

    private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

    static Shape of(@Nullable Schema schema, JsonNode value) {
        if (value.isObject()) {
            boolean atomic = schema != null && schema.mapType() == Schema.MapType.ATOMIC;
            return atomic ? ATOMIC : FIELDS;
        }
        if (value.isArray() && schema != null) {
            return switch (schema.listType()) {
                case ATOMIC -> ATOMIC;
                case SET -> SET;
                case MAP -> schema.listMapKeys().isEmpty() ? ATOMIC : KEYED_LIST;
            };
        }
        return ATOMIC;
    }

    /** The schema of a field; null when it has to be deduced. */
    static @Nullable Schema field(@Nullable Schema schema, String name, boolean root) {
        Schema property = schema == null ? null : schema.property(name);
        if (root
                && name.equals("metadata")
                && (property == null || property.properties().isEmpty())) {
            return Schemas.definition(OBJECT_META).orElse(property);
        }
        return property;
    }

    /** Whether a field belongs to the type, rather than being an entry of a map. */
    static boolean declared(@Nullable Schema schema, String name, boolean root) {
        if (root && (name.equals("metadata") || name.equals("kind") || name.equals("apiVersion"))) {
            return true;
        }
        return schema != null && schema.properties().containsKey(name);
    }

    static @Nullable Schema items(@Nullable Schema schema) {
        return schema == null ? null : schema.items();
    }

    /** The items of a list by their path elements, in order. Of items with the same element the first counts. */
    static Map<String, JsonNode> byElement(@Nullable Schema schema, JsonNode list) {
        Map<String, JsonNode> items = new LinkedHashMap<>();
        for (JsonNode item : list) {
            items.putIfAbsent(element(schema, item), item);
        }
        return items;
    }

    /** The path element of a list's item. */
    static String element(@Nullable Schema schema, JsonNode item) {
        if (schema == null || schema.listType() != Schema.ListType.MAP) {
            return PathElement.value(item);
        }
        Map<String, JsonNode> keys = new TreeMap<>();
        Schema items = schema.items();
        for (String key : schema.listMapKeys()) {
            JsonNode value = item.get(key);
            if (value == null) {
                Schema property = items == null ? null : items.property(key);
                value = property == null ? null : property.defaultValue();
            }
            if (value != null) {
                keys.put(key, value);
            }
        }
        return PathElement.keys(keys);
    }

    /** Refuses two items with the same identity, and items without one. */
    static void checkItems(Schema schema, ArrayNode list, String path) {
        Map<String, Integer> seen = new LinkedHashMap<>();
        for (int i = 0; i < list.size(); i++) {
            String element = element(schema, list.get(i));
            if (element.equals("k:{}")) {
                throw typed(path + ": element " + i + ": associative list with keys has an element that omits key"
                        + " field \"" + schema.listMapKeys().getFirst() + "\" (and doesn't have default value)");
            }
            if (seen.putIfAbsent(element, i) != null) {
                throw typed(path + ": duplicate entries for key " + PathElement.display(element));
            }
        }
    }

    static ApiException typed(String message) {
        return new ApiException(StatusReason.InternalError, message);
    }

    /**
     * What a Go program writes for a field in which nothing is set: an empty object for a struct, nothing to merge for a
     * list that is never left out; null when it leaves the field out.
     */
    static @Nullable JsonNode alwaysWritten(@Nullable Schema property) {
        if (property == null || property.presence() != Schema.Presence.ALWAYS) {
            return null;
        }
        return switch (property.type()) {
            case OBJECT -> property.properties().isEmpty() ? null : Json.object();
            case ARRAY -> Json.array();
            default -> null;
        };
    }
}
