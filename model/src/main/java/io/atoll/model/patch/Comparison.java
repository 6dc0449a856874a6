package io.atoll.model.patch;

import io.atoll.model.Json;
import io.atoll.model.schema.Schema;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The paths by which two objects differ. Immutable. */
record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {
    static Comparison of(@Nullable Schema schema, ObjectNode before, ObjectNode after) {
        Comparison result = new Comparison(new FieldSet(), new FieldSet(), new FieldSet());
        result.fields(schema, before, after, true);
        return result;
    }

    Comparison without(FieldSet ignored) {
        return new Comparison(added.without(ignored), modified.without(ignored), removed.without(ignored));
    }

    FieldSet changed() {
        return modified.union(added);
    }

    /** Compares a value that is on at least one side. These sets are at its path. */
    private void value(@Nullable Schema schema, @Nullable JsonNode before, @Nullable JsonNode after) {
        Shape shape = before == null ? shape(schema, after) : shape(schema, before);
        if (before != null && after != null && shape != shape(schema, after)) {
            // Another kind of value: everything of the old one goes, everything of the new one comes.
            value(schema, before, null);
            value(schema, null, after);
            return;
        }
        boolean leaf = shape == Shape.ATOMIC || (isEmpty(before) && isEmpty(after));
        if (leaf && before != null && after != null) {
            if (!Json.same(before, after)) {
                modified.addSelf();
            }
            return;
        }
        if (!leaf && shape == Shape.FIELDS) {
            fields(schema, before, after, false);
        } else if (!leaf) {
            items(schema, before, after);
        }
        if (before == null) {
            added.addSelf();
        } else if (after == null) {
            removed.addSelf();
        }
    }

    private void fields(@Nullable Schema schema, @Nullable JsonNode before, @Nullable JsonNode after, boolean root) {
        Set<String> names = new LinkedHashSet<>();
        addNames(before, names);
        addNames(after, names);
        if (schema != null) {
            schema.properties().forEach((name, property) -> {
                if (Shape.alwaysWritten(property) != null) {
                    names.add(name);
                }
            });
        }
        for (String name : names) {
            Schema property = Shape.field(schema, name, root);
            at(PathElement.field(name), property, field(before, name, property), field(after, name, property));
        }
    }

    /** A field that Go always writes is there when its object is: an empty one did not come or go. */
    private static @Nullable JsonNode field(@Nullable JsonNode object, String name, @Nullable Schema property) {
        if (object == null) {
            return null;
        }
        JsonNode value = object.get(name);
        return value == null ? Shape.alwaysWritten(property) : value;
    }

    private void items(@Nullable Schema schema, @Nullable JsonNode before, @Nullable JsonNode after) {
        Map<String, JsonNode> old = before == null ? Map.of() : Shape.byElement(schema, before);
        Map<String, JsonNode> young = after == null ? Map.of() : Shape.byElement(schema, after);
        Set<String> elements = new LinkedHashSet<>(old.keySet());
        elements.addAll(young.keySet());
        for (String element : elements) {
            at(element, Shape.items(schema), old.get(element), young.get(element));
        }
    }

    private void at(String element, @Nullable Schema schema, @Nullable JsonNode before, @Nullable JsonNode after) {
        Comparison child = new Comparison(new FieldSet(), new FieldSet(), new FieldSet());
        child.value(schema, before, after);
        added.put(element, child.added);
        modified.put(element, child.modified);
        removed.put(element, child.removed);
    }

    private static Shape shape(@Nullable Schema schema, @Nullable JsonNode value) {
        return value == null ? Shape.ATOMIC : Shape.of(schema, value);
    }

    private static boolean isEmpty(@Nullable JsonNode value) {
        return value == null || (value.isContainer() && value.isEmpty());
    }

    private static void addNames(@Nullable JsonNode object, Set<String> names) {
        if (object != null) {
            names.addAll(object.propertyNames());
        }
    }
}
