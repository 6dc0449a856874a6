package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Strategic merge patches: merge patches whose lists merge by the keys that the schema names, with directives
 * ({@code $patch}, {@code $retainKeys}, {@code $setElementOrder/x}, {@code $deleteFromPrimitiveList/x}). Stateless;
 * any thread.
 */
public final class StrategicMergePatch {
    static final String DIRECTIVE = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String ELEMENT_ORDER = "$setElementOrder/";
    private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList/";

    private StrategicMergePatch() {}

    /**
     * The patched object; the given one stays as it is.
     *
     * @throws ApiException 400 when a directive makes no sense
     */
    public static ObjectNode apply(@Nullable Schema schema, ObjectNode tree, ObjectNode patch) {
        return mergeObject(schema, tree.deepCopy(), patch.deepCopy());
    }

    /** Merges in place where it can. */
    static ObjectNode mergeObject(@Nullable Schema schema, ObjectNode target, ObjectNode patch) {
        JsonNode directive = patch.remove(DIRECTIVE);
        if (directive != null) {
            switch (directive.asString("")) {
                case "replace" -> {
                    return (ObjectNode) withoutDirectives(patch);
                }
                case "delete" -> {
                    return Json.object();
                }
                case "merge" -> {}
                default -> throw unknownDirective(directive);
            }
        }
        retainKeys(target, patch);
        Map<String, ArrayNode> orders = take(patch, ELEMENT_ORDER);
        take(patch, DELETE_PRIMITIVES).forEach((field, values) -> {
            if (target.get(field) instanceof ArrayNode present) {
                target.set(field, StrategicList.without(present, values));
            }
        });
        for (Map.Entry<String, JsonNode> change : patch.properties()) {
            mergeField(schema, target, change.getKey(), change.getValue(), orders.get(change.getKey()));
        }
        orders.forEach((field, order) -> {
            if (!patch.has(field) && target.get(field) instanceof ArrayNode present) {
                target.set(field, StrategicList.ordered(present, present, order, mergeKey(property(schema, field))));
            }
        });
        return target;
    }

    /** A value that meets nothing to merge with: what is left of it without directives and nulls. */
    static JsonNode withoutDirectives(JsonNode value) {
        if (value instanceof ObjectNode object) {
            ObjectNode plain = Json.object();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                if (!isDirective(field.getKey()) && !field.getValue().isNull()) {
                    plain.set(field.getKey(), withoutDirectives(field.getValue()));
                }
            }
            return plain;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode plain = Json.array();
            for (JsonNode item : array) {
                if (!item.has(DIRECTIVE)) {
                    plain.add(withoutDirectives(item));
                }
            }
            return plain;
        }
        return value;
    }

    static ApiException unknownDirective(JsonNode directive) {
        return ApiException.badRequest("unknown patch type found in map: " + directive);
    }

    private static boolean isDirective(String field) {
        return field.equals(DIRECTIVE)
                || field.equals(RETAIN_KEYS)
                || field.startsWith(ELEMENT_ORDER)
                || field.startsWith(DELETE_PRIMITIVES);
    }

    private static void mergeField(
            @Nullable Schema schema, ObjectNode target, String field, JsonNode change, @Nullable ArrayNode order) {
        if (change.isNull()) {
            target.remove(field);
            return;
        }
        JsonNode present = target.get(field);
        Schema property = property(schema, field);
        Set<String> strategies = property == null ? Set.of() : property.patchStrategies();
        if (present instanceof ObjectNode object && change instanceof ObjectNode changes) {
            target.set(
                    field,
                    strategies.contains("replace")
                            ? withoutDirectives(changes)
                            : mergeObject(property, object, changes));
        } else if (present instanceof ArrayNode list
                && change instanceof ArrayNode changes
                && strategies.contains("merge")) {
            String key = mergeKey(property);
            Schema items = property == null ? null : property.items();
            ArrayNode merged = StrategicList.merge(items, list.deepCopy(), changes, key);
            target.set(field, order == null ? merged : StrategicList.ordered(merged, list, order, key));
        } else {
            target.set(field, withoutDirectives(change));
        }
    }

    private static void retainKeys(ObjectNode target, ObjectNode patch) {
        JsonNode keys = patch.remove(RETAIN_KEYS);
        if (keys == null) {
            return;
        }
        List<String> retained = new ArrayList<>();
        keys.forEach(key -> retained.add(key.asString("")));
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            if (!field.getKey().startsWith("$") && !field.getValue().isNull() && !retained.contains(field.getKey())) {
                throw ApiException.badRequest(
                        "the retainKeys list doesn't contain all fields of the patch: " + field.getKey());
            }
        }
        target.retain(retained);
    }

    private static Map<String, ArrayNode> take(ObjectNode patch, String prefix) {
        Map<String, ArrayNode> taken = new LinkedHashMap<>();
        for (String name : List.copyOf(patch.propertyNames())) {
            if (name.startsWith(prefix)) {
                if (patch.remove(name) instanceof ArrayNode list) {
                    taken.put(name.substring(prefix.length()), list);
                } else {
                    throw ApiException.badRequest("invalid patch format: " + name + " must be a list");
                }
            }
        }
        return taken;
    }

    private static @Nullable Schema property(@Nullable Schema schema, String field) {
        return schema == null ? null : schema.property(field);
    }

    private static String mergeKey(@Nullable Schema property) {
        return property == null ? "" : property.patchMergeKey();
    }
}
