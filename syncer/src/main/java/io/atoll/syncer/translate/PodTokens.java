package io.atoll.syncer.translate;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The service-account tokens that a pod asks for. Stateless. */
public final class PodTokens {
    private static final long DEFAULT_SECONDS = 3600;

    private PodTokens() {}

    /** One TokenRequest per projected token, bound to the pod, in the order of {@link #key}. */
    public static List<ObjectNode> requests(ObjectNode pod) {
        return PodVolumes.tokens(pod).stream().map(token -> request(pod, token)).toList();
    }

    /** The key of the n-th token in the pod's Secret. */
    public static String key(int index) {
        return PodVolumes.tokenKey(index);
    }

    private static ObjectNode request(ObjectNode pod, ObjectNode token) {
        ObjectNode request = Json.object();
        request.put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
        ObjectNode spec = request.putObject("spec");
        JsonNode audience = token.path("audience");
        if (!audience.asString("").isEmpty()) {
            spec.putArray("audiences").add(audience.stringValue());
        } else {
            spec.putArray("audiences");
        }
        spec.put("expirationSeconds", token.path("expirationSeconds").asLong(DEFAULT_SECONDS));
        spec.putObject("boundObjectRef")
                .put("kind", "Pod")
                .put("apiVersion", "v1")
                .put("name", Metadata.name(pod))
                .put("uid", Metadata.uid(pod));
        return request;
    }
}
