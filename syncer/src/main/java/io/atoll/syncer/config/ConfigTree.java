package io.atoll.syncer.config;

import io.atoll.model.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and changes values of a tree by dotted path. Stateless. */
final class ConfigTree {
    private ConfigTree() {}

    static JsonNode at(JsonNode tree, String path) {
        JsonNode node = tree;
        for (String step : path.split("\\.")) {
            node = node.path(step);
        }
        return node.isNull() ? MissingNode.getInstance() : node;
    }

    static void set(ObjectNode tree, String path, JsonNode value) {
        ObjectNode parent = tree;
        String rest = path;
        for (int dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.')) {
            parent = Json.child(parent, rest.substring(0, dot));
            rest = rest.substring(dot + 1);
        }
        parent.set(rest, value);
    }

    /** Takes a value out, along with parents that are left empty; null when it is not there. */
    static @Nullable JsonNode take(ObjectNode tree, String path) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            return tree.remove(path);
        }
        String first = path.substring(0, dot);
        if (!(tree.get(first) instanceof ObjectNode child)) {
            return null;
        }
        JsonNode taken = take(child, path.substring(dot + 1));
        if (taken != null && child.isEmpty()) {
            tree.remove(first);
        }
        return taken;
    }

    /** Lays one tree over another as Helm does: maps merge, null removes, all else replaces. */
    static void merge(ObjectNode target, ObjectNode over) {
        for (Map.Entry<String, JsonNode> field : over.properties()) {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(field.getKey());
            } else if (value instanceof ObjectNode deeper && target.get(field.getKey()) instanceof ObjectNode present) {
                merge(present, deeper);
            } else {
                target.set(field.getKey(), value.deepCopy());
            }
        }
    }

    static boolean flag(JsonNode tree, String path, boolean absent) {
        JsonNode value = at(tree, path);
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        boolean auto = !value.isString() || value.stringValue().equals("auto");
        return auto ? absent : value.stringValue().equals("true");
    }

    /** A number or flag reads as its text. */
    static String text(JsonNode tree, String path, String absent) {
        JsonNode value = at(tree, path);
        return value.isValueNode() ? value.asString(absent) : absent;
    }
}
