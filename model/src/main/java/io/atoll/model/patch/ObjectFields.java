package io.atoll.model.patch;

import io.atoll.model.schema.Schema;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The field paths that an object sets. Stateless. */
final class ObjectFields {
    private ObjectFields() {}

    /** The paths that applying this object claims. */
    static FieldSet of(@Nullable Schema schema, ObjectNode object) {
        FieldSet set = new FieldSet();
        addFields(schema, object, set, true);
        return set;
    }

    /**
     * The set together with the declared fields on the way to its paths: removing the last field of {@code spec} then
     * removes {@code spec}.
     */
    static FieldSet withParents(@Nullable Schema schema, FieldSet set) {
        return withParents(schema, set, true);
    }

    /**
     * Refuses what cannot be tracked: fields that a built-in type does not have, list items without an identity or
     * with the same one.
     */
    static void check(@Nullable Schema schema, JsonNode value, String path) {
        switch (Shape.of(schema, value)) {
            case FIELDS -> {
                for (Map.Entry<String, JsonNode> field : value.properties()) {
                    Schema property = Shape.field(schema, field.getKey(), path.isEmpty());
                    String at = path + "." + field.getKey();
                    if (property == null && schema != null && strict(schema) && !known(field.getKey(), path)) {
                        throw Shape.typed(at + ": field not declared in schema");
                    }
                    check(property, field.getValue(), at);
                }
            }
            case KEYED_LIST, SET -> {
                if (schema != null && value instanceof ArrayNode list) {
                    Shape.checkItems(schema, list, path);
                    for (JsonNode item : list) {
                        check(schema.items(), item, path + PathElement.display(Shape.element(schema, item)));
                    }
                }
            }
            case ATOMIC -> {}
        }
    }

    private static boolean strict(Schema schema) {
        return !schema.preserveUnknownFields()
                && schema.additionalProperties() == null
                && !schema.properties().isEmpty();
    }

    private static boolean known(String field, String path) {
        return path.isEmpty() && (field.equals("kind") || field.equals("apiVersion") || field.equals("metadata"));
    }

    private static void add(@Nullable Schema schema, JsonNode value, FieldSet into) {
        switch (Shape.of(schema, value)) {
            case ATOMIC -> into.addSelf();
            case FIELDS -> addFields(schema, value, into, false);
            case KEYED_LIST, SET ->
                Shape.byElement(schema, value).forEach((element, item) -> {
                    FieldSet child = into.descend(element);
                    child.addSelf();
                    if (item.isContainer()) {
                        add(Shape.items(schema), item, child);
                    }
                });
        }
    }

    private static void addFields(@Nullable Schema schema, JsonNode object, FieldSet into, boolean root) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            FieldSet child = new FieldSet();
            add(Shape.field(schema, name, root), value, child);
            if (value.isNull() || (value.isObject() && value.isEmpty()) || !Shape.declared(schema, name, root)) {
                child.addSelf();
            }
            into.put(PathElement.field(name), child);
        }
    }

    private static FieldSet withParents(@Nullable Schema schema, FieldSet set, boolean root) {
        FieldSet result = new FieldSet();
        if (set.member()) {
            result.addSelf();
        }
        set.children().forEach((element, child) -> {
            boolean field = element.startsWith("f:");
            String name = element.substring(2);
            Schema below = field ? Shape.field(schema, name, root) : Shape.items(schema);
            FieldSet deeper = withParents(below, child, false);
            if (field && !child.children().isEmpty() && !deeper.member() && Shape.declared(schema, name, root)) {
                deeper.addSelf();
            }
            result.put(element, deeper);
        });
        return result;
    }
}
