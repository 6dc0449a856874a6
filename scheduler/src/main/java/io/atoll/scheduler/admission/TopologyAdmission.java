package io.atoll.scheduler.admission;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.SchedulingTypes;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Topologies: what their definition asks in CEL, which not every API server runs. Stateless. */
public final class TopologyAdmission {
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private TopologyAdmission() {}

    /**
     * @param before null for a new topology
     * @throws ApiException 422
     */
    public static void validate(ObjectNode topology, @Nullable ObjectNode before) {
        JsonNode levels = topology.path("spec").path("levels");
        FieldMistakes mistakes = new FieldMistakes();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < levels.size(); i++) {
            JsonNode label = levels.get(i).path("nodeLabel");
            String path = "spec.levels[" + i + "].nodeLabel";
            if (!seen.add(label.asString(""))) {
                mistakes.duplicate(path, label);
            }
            if (label.asString("").equals(HOSTNAME) && i < levels.size() - 1) {
                mistakes.invalid(path, label, "can only be the last level");
            }
        }
        if (before != null && !Json.same(levels, before.path("spec").path("levels"))) {
            mistakes.invalid("spec.levels", levels, "field is immutable");
        }
        mistakes.throwIfAny(SchedulingTypes.TOPOLOGIES, Metadata.name(topology));
    }
}
