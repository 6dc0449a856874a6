package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import io.fabric8.zjsonpatch.CompatibilityFlags;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.util.EnumSet;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** RFC 6902 patches, with the API server's answers to bad ones. Stateless; any thread. */
public final class JsonPatch {
    private static final int OPERATIONS_MAX = 10_000;

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
            return io.fabric8.zjsonpatch.JsonPatch.apply(
                    patch, tree, EnumSet.of(CompatibilityFlags.FORBID_REMOVE_MISSING_OBJECT));
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
}
