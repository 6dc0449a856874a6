package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.StatusReason;
import io.fabric8.zjsonpatch.CompatibilityFlags;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** RFC 6902 patches, with the API server's answers to bad ones. Stateless; any thread. */
public final class JsonPatch {
    private static final int OPERATIONS_MAX = 10_000;
    /** Each copy costs a copy of the tree. */
    static final int COPIES_MAX = 100;
    /** As large as a body may be: a few copies of copies would else fill any memory. */
    static final int COPIED_BYTES_MAX = 3 << 20;

    private static final long NODE_BYTES = 8;

    private JsonPatch() {}

    /**
     * The patched tree; the given one stays as it is.
     *
     * @throws ApiException 400 when the patch is no patch, 413 when it is too long, 422 when it does not fit the tree
     */
    public static JsonNode apply(JsonNode tree, JsonNode patch) {
        if (!patch.isArray()) {
            throw ApiException.badRequest("error decoding patch: a JSON patch must be an array of operations");
        }
        if (patch.size() > OPERATIONS_MAX) {
            throw new ApiException(
                    StatusReason.RequestEntityTooLarge,
                    "The allowed maximum operations in a JSON patch is " + OPERATIONS_MAX + ", got " + patch.size());
        }
        try {
            return applyAll(tree, patch);
        } catch (JsonPatchException e) {
            // A failed "test" and a path that leads nowhere: the server's words say little, the cause says which.
            throw new ApiException(
                    StatusReason.Invalid,
                    StatusReason.Invalid.code(),
                    "the server rejected our request due to an error in our request",
                    new ApiException.Details(
                            "",
                            "",
                            "",
                            List.of(new ApiException.Cause("FieldValueInvalid", String.valueOf(e.getMessage()), "")),
                            0));
        }
    }

    /** Copies become additions, one by one, as what they copy is known only once all before them has been done. */
    private static JsonNode applyAll(JsonNode tree, JsonNode patch) {
        JsonNode current = tree;
        ArrayNode pending = Json.array();
        int copies = 0;
        long copied = 0;
        for (JsonNode operation : patch) {
            if (operation.path("op").asString("").equals("copy")) {
                copies++;
                current = applyPlain(current, pending);
                pending = Json.array();
                JsonNode source = source(current, operation);
                copied += source == null ? 0 : size(source);
                if (copies > COPIES_MAX || copied > COPIED_BYTES_MAX) {
                    throw tooMuchCopied();
                }
                pending.add(source == null ? operation : addition(operation, source));
            } else {
                pending.add(operation);
            }
        }
        return applyPlain(current, pending);
    }

    private static JsonNode applyPlain(JsonNode tree, ArrayNode operations) {
        return io.fabric8.zjsonpatch.JsonPatch.apply(
                operations, tree, EnumSet.of(CompatibilityFlags.FORBID_REMOVE_MISSING_OBJECT));
    }

    /** What an operation copies; null when that is nothing, for which the library has the words. */
    private static @Nullable JsonNode source(JsonNode tree, JsonNode operation) {
        try {
            JsonNode source = tree.at(JsonPointer.compile(operation.path("from").asString("-")));
            return source.isMissingNode() ? null : source;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static ObjectNode addition(JsonNode copy, JsonNode source) {
        ObjectNode addition = Json.object().put("op", "add");
        if (copy.has("path")) {
            addition.set("path", copy.path("path"));
        }
        addition.set("value", source.deepCopy());
        return addition;
    }

    private static long size(JsonNode node) {
        long size = NODE_BYTES + node.asString("").length();
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            size += field.getKey().length() + size(field.getValue());
        }
        if (node.isArray()) {
            for (JsonNode element : node) {
                size += size(element);
            }
        }
        return size;
    }

    private static ApiException tooMuchCopied() {
        return new ApiException(
                StatusReason.RequestEntityTooLarge,
                "The copy operations of a JSON patch may copy " + COPIED_BYTES_MAX + " bytes in " + COPIES_MAX
                        + " operations at most");
    }
}
