package io.atoll.apiserver.registry;

import io.atoll.model.Metadata;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * What the field selectors of one resource may name, beside {@code metadata.name} and {@code metadata.namespace}.
 * Immutable.
 */
public final class SelectableFields implements Function<JsonNode, Map<String, String>> {
    public static final SelectableFields METADATA = new SelectableFields(List.of());

    private final List<String> paths;

    private SelectableFields(List<String> paths) {
        this.paths = paths;
    }

    /** Paths such as {@code spec.nodeName}. */
    public static SelectableFields of(String... paths) {
        return new SelectableFields(List.of(paths));
    }

    public static SelectableFields of(List<String> paths) {
        return new SelectableFields(List.copyOf(paths));
    }

    public boolean knows(String field) {
        return field.equals("metadata.name") || field.equals("metadata.namespace") || paths.contains(field);
    }

    @Override
    public Map<String, String> apply(JsonNode object) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("metadata.name", Metadata.name(object));
        values.put("metadata.namespace", Metadata.namespace(object));
        for (String path : paths) {
            JsonNode node = object;
            for (String step : path.split("\\.")) {
                node = node.path(step);
            }
            values.put(path, node.isMissingNode() || node.isNull() ? absent(path) : node.asString(""));
        }
        return values;
    }

    /** Kubernetes reads an absent boolean as false. */
    private static String absent(String path) {
        return path.equals("spec.unschedulable") || path.equals("spec.hostNetwork") ? "false" : "";
    }
}
