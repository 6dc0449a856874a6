package io.atoll.model.pod;

import io.atoll.model.Quantity;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What a pod as a whole asks for, by Kubernetes' rules: its containers and sidecars together, or the neediest init
 * container with the sidecars started before it, whichever is more; what {@code spec.resources} says in place of those;
 * plus overhead. Stateless; any thread.
 *
 * <p>What is no quantity is left out: the API server lets none in.
 */
public final class PodResources {
    private static final String REQUESTS = "requests";
    private static final String LIMITS = "limits";

    private PodResources() {}

    /** By resource name, in order. A limit stands in for a missing request, as the API server's default. */
    public static Map<String, Quantity> requests(JsonNode podSpec) {
        Map<String, Quantity> total = total(podSpec, REQUESTS);
        quantities(podSpec.path("overhead")).forEach((name, quantity) -> total.merge(name, quantity, Quantity::add));
        return total;
    }

    /** By resource name, in order. Overhead counts only where something else is limited. */
    public static Map<String, Quantity> limits(JsonNode podSpec) {
        Map<String, Quantity> total = total(podSpec, LIMITS);
        quantities(podSpec.path("overhead"))
                .forEach((name, quantity) -> total.computeIfPresent(name, (_, limit) -> limit.add(quantity)));
        return total;
    }

    /** {@link #requests} in {@link #units}. */
    public static Map<String, Long> requestedUnits(JsonNode podSpec) {
        Map<String, Long> units = new TreeMap<>();
        requests(podSpec).forEach((name, quantity) -> units.put(name, units(name, quantity)));
        return units;
    }

    /** What one container asks for; a limit stands in for a missing request. */
    public static Map<String, Quantity> containerRequests(JsonNode container) {
        return held(container, REQUESTS);
    }

    /** CPU in thousandths, all else in whole units. */
    public static long units(String resource, Quantity quantity) {
        return resource.equals("cpu") ? quantity.milliValue() : quantity.value();
    }

    /** Whether an init container is a sidecar: it keeps running beside the others. */
    public static boolean sidecar(JsonNode initContainer) {
        return initContainer.path("restartPolicy").asString("").equals("Always");
    }

    /** Reads a resource list, such as {@code status.allocatable}. */
    public static Map<String, Quantity> quantities(JsonNode list) {
        Map<String, Quantity> quantities = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : list.properties()) {
            String text = entry.getValue().asString("");
            if (Quantity.isValid(text)) {
                quantities.put(entry.getKey(), Quantity.parse(text));
            }
        }
        return quantities;
    }

    private static Map<String, Quantity> total(JsonNode spec, String kind) {
        Map<String, Quantity> running = new TreeMap<>();
        for (JsonNode container : spec.path("containers")) {
            add(running, held(container, kind));
        }
        Map<String, Quantity> sidecars = new TreeMap<>();
        Map<String, Quantity> starting = new TreeMap<>();
        for (JsonNode container : spec.path("initContainers")) {
            Map<String, Quantity> own = held(container, kind);
            if (sidecar(container)) {
                add(sidecars, own);
                raise(starting, sidecars);
            } else {
                add(own, sidecars);
                raise(starting, own);
            }
        }
        add(running, sidecars);
        raise(running, starting);
        running.putAll(held(spec, kind));
        return running;
    }

    private static Map<String, Quantity> held(JsonNode holder, String kind) {
        JsonNode resources = holder.path("resources");
        if (kind.equals(LIMITS)) {
            return quantities(resources.path(LIMITS));
        }
        Map<String, Quantity> requests = quantities(resources.path(LIMITS));
        requests.putAll(quantities(resources.path(REQUESTS)));
        return requests;
    }

    private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((name, quantity) -> sum.merge(name, quantity, Quantity::add));
    }

    private static void raise(Map<String, Quantity> most, Map<String, Quantity> other) {
        other.forEach((name, quantity) ->
                most.merge(name, quantity, (left, right) -> left.compareTo(right) >= 0 ? left : right));
    }
}
