package io.atoll.apiserver.registry;

import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The metadata that the server writes and clients may not. */
final class SystemMetadata {
    private static final List<String> SERVERS_OWN =
            List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation");

    private SystemMetadata() {}

    /** Gives a new object its identity. */
    static void begin(Write write, ObjectNode object) {
        ObjectNode metadata = Metadata.of(object);
        if (!Metadata.resourceVersion(object).isEmpty()
                && !Metadata.resourceVersion(object).equals("0")) {
            throw ApiException.badRequest("resourceVersion should not be set on objects to be created");
        }
        List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion")
                .forEach(metadata::remove);
        Metadata.setNamespace(object, write.namespace());
        metadata.put("uid", write.registry().newUid());
        metadata.put("creationTimestamp", write.registry().now());
    }

    /** Carries the identity over from the stored object. */
    static void carryOver(ObjectNode object, ObjectNode before) {
        ObjectNode metadata = Metadata.of(object);
        JsonNode old = before.path("metadata");
        metadata.remove("selfLink");
        for (String field : SERVERS_OWN) {
            JsonNode value = old.get(field);
            if (value == null) {
                metadata.remove(field);
            } else {
                metadata.set(field, value);
            }
        }
        if (old.has("generateName") && !metadata.has("generateName")) {
            metadata.set("generateName", old.path("generateName"));
        }
    }
}
