package io.atoll.model.patch;

import io.atoll.model.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** RFC 7386 merge patches. Stateless; any thread. */
public final class MergePatch {
    private MergePatch() {}

    /** The patched tree; the given one stays as it is. */
    public static JsonNode apply(JsonNode tree, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch.deepCopy();
        }
        ObjectNode result = tree instanceof ObjectNode object ? object.deepCopy() : Json.object();
        merge(result, changes);
        return result;
    }

    private static void merge(ObjectNode target, ObjectNode changes) {
        for (Map.Entry<String, JsonNode> change : changes.properties()) {
            String field = change.getKey();
            if (change.getValue().isNull()) {
                target.remove(field);
            } else if (change.getValue() instanceof ObjectNode deeper) {
                merge(Json.child(target, field), deeper);
            } else {
                target.set(field, change.getValue().deepCopy());
            }
        }
    }
}
