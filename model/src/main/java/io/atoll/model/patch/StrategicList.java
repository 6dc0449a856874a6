package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.schema.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How lists with the {@code merge} strategy take a patch. An empty merge key means a list of plain values. */
final class StrategicList {
    private StrategicList() {}

    /** Merges items by key; plain values are added when they are not there yet. Changes {@code target}. */
    static ArrayNode merge(@Nullable Schema items, ArrayNode target, ArrayNode changes, String key) {
        if (key.isEmpty() || changes.isEmpty() || !changes.get(0).isObject()) {
            return union(target, changes);
        }
        for (JsonNode change : changes) {
            if ("replace".equals(change.path(StrategicMergePatch.DIRECTIVE).asString(""))) {
                return (ArrayNode) StrategicMergePatch.withoutDirectives(changes);
            }
        }
        for (JsonNode change : changes) {
            mergeItem(items, target, (ObjectNode) change, key);
        }
        return target;
    }

    private static void mergeItem(@Nullable Schema items, ArrayNode target, ObjectNode change, String key) {
        JsonNode wanted = change.get(key);
        if (wanted == null) {
            throw ApiException.badRequest("map: " + change + " does not contain declared merge key: " + key);
        }
        JsonNode directive = change.get(StrategicMergePatch.DIRECTIVE);
        if (directive != null && "delete".equals(directive.asString(""))) {
            for (int i = target.size() - 1; i >= 0; i--) {
                if (Json.same(target.get(i).path(key), wanted)) {
                    target.remove(i);
                }
            }
            return;
        }
        if (directive != null && !"merge".equals(directive.asString(""))) {
            throw StrategicMergePatch.unknownDirective(directive);
        }
        int at = indexOf(target, wanted, key);
        if (at < 0) {
            change.remove(StrategicMergePatch.DIRECTIVE);
            target.add(StrategicMergePatch.withoutDirectives(change));
        } else {
            target.set(at, StrategicMergePatch.mergeObject(items, (ObjectNode) target.get(at), change));
        }
    }

    /** The values of a list that another does not hold. */
    static ArrayNode without(ArrayNode list, ArrayNode values) {
        ArrayNode rest = Json.array();
        for (JsonNode value : list) {
            if (indexOf(values, value, "") < 0) {
                rest.add(value);
            }
        }
        return rest;
    }

    /**
     * Puts a merged list into the order that the patch asks for. Items that the patch does not name keep their order,
     * each before the first named item that followed it in the live list.
     */
    static ArrayNode ordered(ArrayNode merged, ArrayNode live, ArrayNode order, String key) {
        List<JsonNode> named = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        for (JsonNode item : merged) {
            (indexOf(order, identity(item, key), key) >= 0 ? named : others).add(item);
        }
        named.sort(Comparator.comparingInt(item -> indexOf(order, identity(item, key), key)));
        others.sort(Comparator.comparingInt(item -> indexOf(live, identity(item, key), key)));
        ArrayNode result = Json.array();
        int next = 0;
        for (JsonNode other : others) {
            int place = indexOf(live, identity(other, key), key);
            while (next < named.size() && indexOf(live, identity(named.get(next), key), key) <= place) {
                result.add(named.get(next++));
            }
            result.add(other);
        }
        while (next < named.size()) {
            result.add(named.get(next++));
        }
        return result;
    }

    private static ArrayNode union(ArrayNode target, ArrayNode changes) {
        for (JsonNode change : changes) {
            if (indexOf(target, change, "") < 0) {
                target.add(change);
            }
        }
        return target;
    }

    private static JsonNode identity(JsonNode item, String key) {
        return key.isEmpty() ? item : item.path(key);
    }

    private static int indexOf(ArrayNode list, JsonNode wanted, String key) {
        for (int i = 0; i < list.size(); i++) {
            if (Json.same(identity(list.get(i), key), wanted)) {
                return i;
            }
        }
        return -1;
    }
}
