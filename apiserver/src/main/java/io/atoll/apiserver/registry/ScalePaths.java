package io.atoll.apiserver.registry;

import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where an object keeps what {@code /scale} shows. Immutable.
 *
 * @param replicasPath e.g. {@code spec.replicas}
 * @param observedPath e.g. {@code status.replicas}
 * @param selectorPath a string, a map of labels or a LabelSelector; empty for none
 */
public record ScalePaths(String replicasPath, String observedPath, String selectorPath) {
    public static final ScalePaths DEFAULT = new ScalePaths("spec.replicas", "status.replicas", "spec.selector");

    /** As a CustomResourceDefinition gives them, with a leading dot. */
    public static ScalePaths of(JsonNode scale) {
        return new ScalePaths(
                bare(scale.path("specReplicasPath").asString(".spec.replicas")),
                bare(scale.path("statusReplicasPath").asString(".status.replicas")),
                bare(scale.path("labelSelectorPath").asString("")));
    }

    public long replicas(JsonNode object) {
        return at(object, replicasPath).asLong(0);
    }

    public long observed(JsonNode object) {
        return at(object, observedPath).asLong(0);
    }

    public void setReplicas(ObjectNode object, long replicas) {
        String[] steps = replicasPath.split("\\.");
        ObjectNode parent = object;
        for (int i = 0; i < steps.length - 1; i++) {
            parent = Json.child(parent, steps[i]);
        }
        parent.put(steps[steps.length - 1], replicas);
    }

    public String selector(JsonNode object) {
        JsonNode node = selectorPath.isEmpty() ? Json.object() : at(object, selectorPath);
        if (node.isString()) {
            return node.stringValue();
        }
        if (!node.isObject() || node.isEmpty()) {
            return "";
        }
        if (node.has("matchLabels") || node.has("matchExpressions")) {
            return LabelSelector.of(node).toString();
        }
        Map<String, String> labels = new HashMap<>();
        node.properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
        return LabelSelector.of(labels).toString();
    }

    private static JsonNode at(JsonNode object, String path) {
        JsonNode node = object;
        for (String step : path.split("\\.")) {
            node = node.path(step);
        }
        return node;
    }

    private static String bare(String path) {
        return path.startsWith(".") ? path.substring(1) : path;
    }
}
