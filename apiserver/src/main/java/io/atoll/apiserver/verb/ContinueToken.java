package io.atoll.apiserver.verb;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a paged list goes on: opaque to clients. Immutable.
 *
 * @param start the path of the last object that was returned
 */
record ContinueToken(long revision, String start) {
    static ContinueToken parse(String text) {
        try {
            ObjectNode token = Json.parse(Base64.getUrlDecoder().decode(text));
            String start = token.path("start").asString("");
            long revision = token.path("rv").asLong(0);
            if (revision > 0 && !start.isEmpty() && !start.contains("..")) {
                return new ContinueToken(revision, start);
            }
        } catch (IllegalArgumentException | ApiException _) {
            // the message below
        }
        throw ApiException.badRequest("continue key is not valid");
    }

    String encode() {
        ObjectNode token = Json.object();
        token.put("v", "meta.k8s.io/v1").put("rv", revision).put("start", start);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Json.encodeToString(token).getBytes(StandardCharsets.UTF_8));
    }
}
