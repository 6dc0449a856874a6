package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.model.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** HorizontalPodAutoscalers, in {@code autoscaling/v2}: by CPU unless told otherwise. */
final class AutoscalerStrategy implements Strategy {
    private static final int CPU_UTILIZATION = 80;

    @Override
    public void applyDefaults(ObjectNode object) {
        ObjectNode spec = Json.child(object, "spec");
        if (spec.path("metrics").isEmpty()) {
            ObjectNode metric = spec.putArray("metrics").addObject().put("type", "Resource");
            metric.putObject("resource")
                    .put("name", "cpu")
                    .putObject("target")
                    .put("type", "Utilization")
                    .put("averageUtilization", CPU_UTILIZATION);
        }
    }

    @Override
    public void validate(ObjectNode object, Mistakes mistakes) {
        JsonNode spec = object.path("spec");
        long min = spec.path("minReplicas").asLong(1);
        long max = spec.path("maxReplicas").asLong(0);
        if (min < 1) {
            mistakes.invalid("spec.minReplicas", min, "must be greater than or equal to 1");
        }
        if (max < 1) {
            mistakes.invalid("spec.maxReplicas", max, "must be greater than 0");
        } else if (max < min) {
            mistakes.invalid("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`");
        }
        JsonNode target = spec.path("scaleTargetRef");
        for (String field : new String[] {"kind", "name"}) {
            if (target.path(field).asString("").isEmpty()) {
                mistakes.required("spec.scaleTargetRef." + field, "");
            }
        }
    }
}
