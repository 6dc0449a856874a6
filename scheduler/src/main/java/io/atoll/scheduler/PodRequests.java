package io.atoll.scheduler;

import io.atoll.model.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What a pod asks of a node, by Kubernetes' rules: containers and sidecars together, or the hungriest init container
 * with the sidecars started before it, whichever is more; requests of the whole pod in place of those; plus overhead.
 */
final class PodRequests {
    private PodRequests() {}

    /** By resource name; cpu in thousandths, all else in whole units. */
    static Map<String, Long> of(JsonNode spec) {
        Map<String, Long> running = new LinkedHashMap<>();
        spec.path("containers").forEach(container -> add(running, requests(container)));
        Map<String, Long> sidecars = new LinkedHashMap<>();
        Map<String, Long> starting = new LinkedHashMap<>();
        for (JsonNode container : spec.path("initContainers")) {
            Map<String, Long> own = requests(container);
            if (isSidecar(container)) {
                add(running, own);
                add(sidecars, own);
                max(starting, sidecars);
            } else {
                add(own, sidecars);
                max(starting, own);
            }
        }
        max(running, starting);
        running.putAll(requests(spec));
        spec.path("overhead")
                .properties()
                .forEach(field -> running.merge(field.getKey(), amount(field.getKey(), field.getValue()), Long::sum));
        return running;
    }

    static boolean isSidecar(JsonNode initContainer) {
        return initContainer.path("restartPolicy").asString("").equals("Always");
    }

    /** The requests of a container or pod; a limit stands in for a missing request, as the API server's default. */
    private static Map<String, Long> requests(JsonNode holder) {
        Map<String, Long> read = new LinkedHashMap<>();
        JsonNode resources = holder.path("resources");
        for (String field : new String[] {"limits", "requests"}) {
            resources
                    .path(field)
                    .properties()
                    .forEach(amount -> read.put(amount.getKey(), amount(amount.getKey(), amount.getValue())));
        }
        return read;
    }

    static long amount(String resource, JsonNode quantity) {
        Quantity parsed = Quantity.parse(quantity.asString("0"));
        return resource.equals("cpu") ? parsed.milliValue() : parsed.value();
    }

    private static void add(Map<String, Long> to, Map<String, Long> amounts) {
        amounts.forEach((resource, amount) -> to.merge(resource, amount, Long::sum));
    }

    private static void max(Map<String, Long> to, Map<String, Long> amounts) {
        amounts.forEach((resource, amount) -> to.merge(resource, amount, Math::max));
    }
}
