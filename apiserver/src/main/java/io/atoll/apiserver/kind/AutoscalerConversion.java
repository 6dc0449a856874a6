package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Conversion;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code autoscaling/v1} knows one metric, the CPU's utilization; the others travel in annotations, so that nothing is
 * lost on the way there and back.
 */
final class AutoscalerConversion implements Conversion {
    private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
    private static final String CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";
    private static final String CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
    private static final String BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";

    @Override
    public ObjectNode toStorage(ObjectNode served) {
        served.put("apiVersion", "autoscaling/v2");
        ObjectNode spec = Json.child(served, "spec");
        ArrayNode metrics = spec.putArray("metrics");
        JsonNode target = spec.remove("targetCPUUtilizationPercentage");
        if (target != null && target.isNumber()) {
            metrics.add(cpu("target", "type", "Utilization", "averageUtilization", target));
        }
        takeAll(served, METRICS, metrics);
        if (metrics.isEmpty()) {
            spec.remove("metrics");
        }
        take(served, BEHAVIOR, spec, "behavior");
        if (served.get("status") instanceof ObjectNode status) {
            ArrayNode current = status.putArray("currentMetrics");
            JsonNode utilization = status.remove("currentCPUUtilizationPercentage");
            if (utilization != null && utilization.isNumber()) {
                current.add(cpu("current", "", "", "averageUtilization", utilization));
            }
            takeAll(served, CURRENT_METRICS, current);
            if (current.isEmpty()) {
                status.remove("currentMetrics");
            }
            take(served, CONDITIONS, status, "conditions");
        }
        return served;
    }

    @Override
    public ObjectNode fromStorage(ObjectNode stored) {
        stored.put("apiVersion", "autoscaling/v1");
        ObjectNode spec = Json.child(stored, "spec");
        ArrayNode others = Json.array();
        for (JsonNode metric : removed(spec, "metrics")) {
            JsonNode utilization = metric.path("resource").path("target").path("averageUtilization");
            if (isCpu(metric) && utilization.isNumber() && !spec.has("targetCPUUtilizationPercentage")) {
                spec.set("targetCPUUtilizationPercentage", utilization);
            } else {
                others.add(metric);
            }
        }
        put(stored, METRICS, others);
        put(stored, BEHAVIOR, removed(spec, "behavior"));
        if (stored.get("status") instanceof ObjectNode status) {
            ArrayNode rest = Json.array();
            for (JsonNode metric : removed(status, "currentMetrics")) {
                JsonNode utilization = metric.path("resource").path("current").path("averageUtilization");
                if (isCpu(metric) && utilization.isNumber()) {
                    status.set("currentCPUUtilizationPercentage", utilization);
                } else {
                    rest.add(metric);
                }
            }
            put(stored, CURRENT_METRICS, rest);
            put(stored, CONDITIONS, removed(status, "conditions"));
        }
        return stored;
    }

    private static boolean isCpu(JsonNode metric) {
        return metric.path("type").asString("").equals("Resource")
                && metric.path("resource").path("name").asString("").equals("cpu");
    }

    private static ObjectNode cpu(String place, String typeField, String type, String field, JsonNode value) {
        ObjectNode metric = Json.object().put("type", "Resource");
        ObjectNode resource = metric.putObject("resource").put("name", "cpu");
        ObjectNode target = resource.putObject(place);
        if (!typeField.isEmpty()) {
            target.put(typeField, type);
        }
        target.set(field, value);
        return metric;
    }

    private static JsonNode removed(ObjectNode object, String field) {
        JsonNode value = object.remove(field);
        return value == null ? Json.array() : value;
    }

    private static void put(ObjectNode object, String annotation, JsonNode value) {
        if (!value.isEmpty()) {
            Metadata.setAnnotation(object, annotation, Json.encodeToString(value));
        }
    }

    private static void take(ObjectNode object, String annotation, ObjectNode into, String field) {
        String text = takeText(object, annotation);
        if (!text.isEmpty()) {
            into.set(field, Json.parseValue(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }
    }

    private static void takeAll(ObjectNode object, String annotation, ArrayNode into) {
        String text = takeText(object, annotation);
        if (!text.isEmpty()) {
            Json.parseValue(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    .forEach(into::add);
        }
    }

    private static String takeText(ObjectNode object, String annotation) {
        String text = Metadata.annotation(object, annotation);
        if (!text.isEmpty() && Metadata.of(object).get("annotations") instanceof ObjectNode annotations) {
            annotations.remove(annotation);
            if (annotations.isEmpty()) {
                Metadata.of(object).remove("annotations");
            }
        }
        return text;
    }
}
