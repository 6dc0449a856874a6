package io.atoll.apiserver.verb;

import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A page of a list.
 *
 * @param token continues the list; empty at its end
 * @param remaining how many objects follow; negative when not known
 */
record ListPage(long revision, List<CachedObject> objects, String token, long remaining) {
    ObjectNode metadata() {
        ObjectNode metadata = Json.object();
        metadata.put("resourceVersion", Long.toString(revision));
        if (!token.isEmpty()) {
            metadata.put("continue", token);
        }
        if (!token.isEmpty() && remaining >= 0) {
            metadata.put("remainingItemCount", remaining);
        }
        return metadata;
    }
}
