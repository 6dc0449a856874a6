package io.atoll.model.patch;

import io.atoll.model.Json;
import io.atoll.model.schema.Schema;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Lays one object over another, and takes paths out of one. The given trees stay as they are. Stateless. */
final class ObjectMerge {
    private ObjectMerge() {}

    /** The live object with everything that the applied one sets. */
    static ObjectNode merge(@Nullable Schema schema, ObjectNode live, ObjectNode applied) {
        return mergeFields(schema, live, applied, true);
    }

    /** The object without the paths of a set. */
    static ObjectNode remove(@Nullable Schema schema, ObjectNode object, FieldSet paths) {
        ObjectNode rest = removeFields(schema, object, paths, true);
        return rest == null ? Json.object() : rest;
    }

    private static JsonNode mergeValue(@Nullable Schema schema, JsonNode live, JsonNode applied) {
        Shape shape = Shape.of(schema, applied);
        if (shape != Shape.of(schema, live)) {
            return applied.deepCopy();
        }
        return switch (shape) {
            case ATOMIC -> applied.deepCopy();
            case FIELDS -> mergeFields(schema, (ObjectNode) live, (ObjectNode) applied, false);
            case KEYED_LIST, SET -> mergeItems(schema, live, applied);
        };
    }

    private static ObjectNode mergeFields(@Nullable Schema schema, ObjectNode live, ObjectNode applied, boolean root) {
        ObjectNode merged = live.deepCopy();
        for (Map.Entry<String, JsonNode> field : applied.properties()) {
            JsonNode present = live.get(field.getKey());
            JsonNode value = field.getValue();
            merged.set(
                    field.getKey(),
                    present == null
                            ? value.deepCopy()
                            : mergeValue(Shape.field(schema, field.getKey(), root), present, value));
        }
        return merged;
    }

    /**
     * Items keep the order in which they were applied; items that only the live list has stay between the same
     * neighbours as far as that order allows.
     */
    private static ArrayNode mergeItems(@Nullable Schema schema, JsonNode live, JsonNode applied) {
        Map<String, JsonNode> lives = Shape.byElement(schema, live);
        Map<String, JsonNode> applieds = Shape.byElement(schema, applied);
        ArrayNode merged = Json.array();
        Set<String> done = new HashSet<>();
        Iterator<String> wanted = applieds.keySet().iterator();
        for (Map.Entry<String, JsonNode> item : lives.entrySet()) {
            String element = item.getKey();
            if (!applieds.containsKey(element)) {
                merged.add(item.getValue().deepCopy());
                continue;
            }
            while (!done.contains(element) && wanted.hasNext()) {
                String next = wanted.next();
                addItem(schema, next, lives, applieds, merged);
                done.add(next);
            }
        }
        while (wanted.hasNext()) {
            addItem(schema, wanted.next(), lives, applieds, merged);
        }
        return merged;
    }

    private static void addItem(
            @Nullable Schema schema,
            String element,
            Map<String, JsonNode> lives,
            Map<String, JsonNode> applieds,
            ArrayNode merged) {
        JsonNode live = lives.get(element);
        JsonNode applied = applieds.get(element);
        if (applied != null) {
            merged.add(live == null ? applied.deepCopy() : mergeValue(Shape.items(schema), live, applied));
        }
    }

    private static @Nullable JsonNode removeFrom(@Nullable Schema schema, JsonNode value, FieldSet paths) {
        return switch (Shape.of(schema, value)) {
            case ATOMIC -> value.deepCopy();
            case FIELDS -> removeFields(schema, (ObjectNode) value, paths, false);
            case KEYED_LIST, SET -> {
                ArrayNode rest = Json.array();
                for (JsonNode item : value) {
                    FieldSet match = paths.child(Shape.element(schema, item));
                    if (match == null) {
                        rest.add(item.deepCopy());
                    } else if (!match.member()) {
                        JsonNode part = removeFrom(Shape.items(schema), item, match);
                        if (part != null) {
                            rest.add(part);
                        }
                    }
                }
                yield rest.isEmpty() ? null : rest;
            }
        };
    }

    /** Null when nothing is left. */
    private static @Nullable ObjectNode removeFields(
            @Nullable Schema schema, ObjectNode object, FieldSet paths, boolean root) {
        ObjectNode rest = Json.object();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            FieldSet match = paths.child(PathElement.field(field.getKey()));
            if (match == null) {
                rest.set(field.getKey(), field.getValue().deepCopy());
            } else if (!match.member()) {
                JsonNode part = removeFrom(Shape.field(schema, field.getKey(), root), field.getValue(), match);
                if (part != null) {
                    rest.set(field.getKey(), part);
                }
            }
        }
        return rest.isEmpty() ? null : rest;
    }
}
