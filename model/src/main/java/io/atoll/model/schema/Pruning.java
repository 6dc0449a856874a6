package io.atoll.model.schema;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Removes fields that a schema does not know, in place. */
public final class Pruning {
    private Pruning() {}

    /** Prunes and says what was removed, as strict decoding names it: {@code spec.containers[0].foo}. */
    public static List<String> prune(Schema schema, JsonNode tree) {
        return List.of();
    }
}
