package io.atoll.controllers;

import io.atoll.model.Quantity;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What a pod as a whole asks for: its containers together, or its hungriest init container. Stateless. */
final class PodRequests {
    private PodRequests() {}

    /** @param kind {@code requests} or {@code limits} */
    static Map<String, Quantity> of(JsonNode pod, String kind) {
        JsonNode spec = pod.path("spec");
        Map<String, Quantity> sum = new TreeMap<>();
        for (JsonNode container : spec.path("containers")) {
            add(sum, read(container, kind));
        }
        Map<String, Quantity> sidecars = new TreeMap<>();
        Map<String, Quantity> most = new TreeMap<>();
        for (JsonNode container : spec.path("initContainers")) {
            Map<String, Quantity> one = read(container, kind);
            if (container.path("restartPolicy").asString("").equals("Always")) {
                add(sidecars, one);
                raise(most, sidecars);
            } else {
                Map<String, Quantity> together = new TreeMap<>(sidecars);
                add(together, one);
                raise(most, together);
            }
        }
        add(sum, sidecars);
        raise(sum, most);
        if (!sum.isEmpty()) {
            add(sum, quantities(spec.path("overhead")));
        }
        return sum;
    }

    static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((name, quantity) -> sum.merge(name, quantity, Quantity::add));
    }

    private static void raise(Map<String, Quantity> most, Map<String, Quantity> other) {
        other.forEach((name, quantity) ->
                most.merge(name, quantity, (left, right) -> left.compareTo(right) >= 0 ? left : right));
    }

    private static Map<String, Quantity> read(JsonNode container, String kind) {
        return quantities(container.path("resources").path(kind));
    }

    private static Map<String, Quantity> quantities(JsonNode node) {
        Map<String, Quantity> quantities = new TreeMap<>();
        node.properties()
                .forEach(entry -> quantities.put(
                        entry.getKey(), Quantity.parse(entry.getValue().asString("0"))));
        return quantities;
    }
}
