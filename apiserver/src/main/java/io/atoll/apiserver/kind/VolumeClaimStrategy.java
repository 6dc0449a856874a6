package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** PersistentVolumeClaims: after binding only the requested size may grow. */
final class VolumeClaimStrategy implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.RETURNS_DELETED, Trait.STATUS_CHANGES_METADATA);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void prepareCreate(Write write, ObjectNode claim) {
        claim.putObject("status").put("phase", "Pending");
    }

    @Override
    public void validate(ObjectNode claim, Mistakes mistakes) {
        JsonNode spec = claim.path("spec");
        if (spec.path("accessModes").isEmpty()) {
            mistakes.required("spec.accessModes", "at least 1 access mode is required");
        }
        int at = 0;
        for (JsonNode mode : spec.path("accessModes")) {
            PodSpecRules.oneOf(
                    "spec.accessModes[" + at++ + "]",
                    mode,
                    mistakes,
                    "ReadWriteOnce",
                    "ReadOnlyMany",
                    "ReadWriteMany",
                    "ReadWriteOncePod");
        }
        if (!spec.path("resources").path("requests").has("storage")) {
            mistakes.required("spec.resources[storage]", "");
        }
    }

    @Override
    public void validateUpdate(Write write, ObjectNode claim, ObjectNode before, Mistakes mistakes) {
        ObjectNode now = (ObjectNode) claim.path("spec").deepCopy();
        ObjectNode old = (ObjectNode) before.path("spec").deepCopy();
        for (String field : List.of("resources", "volumeAttributesClassName")) {
            now.remove(field);
            old.remove(field);
        }
        if (old.path("volumeName").asString("").isEmpty()) {
            now.remove("volumeName");
            old.remove("volumeName");
        }
        if (!old.has("storageClassName")) {
            now.remove("storageClassName");
        }
        if (!Json.same(now, old)) {
            mistakes.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims");
        }
    }
}
