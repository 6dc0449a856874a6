package io.atoll.node;

import io.atoll.model.ApiException;
import io.atoll.model.Quantity;
import io.atoll.node.gpu.DeviceLedger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What a pod asks of its node, as the scheduler and the kubelet count it. Stateless. */
final class PodResources {
    static final String GPU = "nvidia.com/gpu";

    private PodResources() {}

    /** Restartable init containers (sidecars) run beside the others. */
    static boolean sidecar(JsonNode initContainer) {
        return initContainer.path("restartPolicy").asString("").equals("Always");
    }

    /** Requests of the whole pod: cpu in thousandths, everything else in units. */
    static Map<String, Long> requests(JsonNode pod) {
        Map<String, Long> running = new TreeMap<>();
        Map<String, Long> initial = new TreeMap<>();
        Map<String, Long> sidecars = new TreeMap<>();
        for (JsonNode container : pod.path("spec").path("initContainers")) {
            Map<String, Long> own = container(container);
            if (sidecar(container)) {
                own.forEach((resource, amount) -> sidecars.merge(resource, amount, Long::sum));
                sidecars.forEach((resource, amount) -> initial.merge(resource, amount, Math::max));
            } else {
                own.forEach((resource, amount) ->
                        initial.merge(resource, amount + sidecars.getOrDefault(resource, 0L), Math::max));
            }
        }
        for (JsonNode container : pod.path("spec").path("containers")) {
            container(container).forEach((resource, amount) -> running.merge(resource, amount, Long::sum));
        }
        sidecars.forEach((resource, amount) -> running.merge(resource, amount, Long::sum));
        initial.forEach((resource, amount) -> running.merge(resource, amount, Math::max));
        pod.path("spec")
                .path("overhead")
                .properties()
                .forEach(entry -> running.merge(
                        entry.getKey(), amount(entry.getKey(), entry.getValue().asString("")), Long::sum));
        running.put("pods", 1L);
        return running;
    }

    static long amount(String resource, String quantity) {
        try {
            Quantity parsed = Quantity.parse(quantity);
            return resource.equals("cpu") ? parsed.milliValue() : parsed.value();
        } catch (ApiException _) {
            return 0;
        }
    }

    /** GPUs by container. */
    static DeviceLedger.Demand gpus(JsonNode pod) {
        Map<String, Integer> init = new LinkedHashMap<>();
        Map<String, Integer> running = new LinkedHashMap<>();
        for (JsonNode container : pod.path("spec").path("initContainers")) {
            (sidecar(container) ? running : init).put(name(container), gpuCount(container));
        }
        for (JsonNode container : pod.path("spec").path("containers")) {
            running.put(name(container), gpuCount(container));
        }
        return new DeviceLedger.Demand(init, running);
    }

    private static int gpuCount(JsonNode container) {
        return Math.clamp(container(container).getOrDefault(GPU, 0L), 0, Integer.MAX_VALUE);
    }

    private static String name(JsonNode container) {
        return container.path("name").asString("");
    }

    private static Map<String, Long> container(JsonNode container) {
        Map<String, Long> amounts = new TreeMap<>();
        JsonNode resources = container.path("resources");
        // A limit without a request is the request.
        for (String kind : new String[] {"limits", "requests"}) {
            resources
                    .path(kind)
                    .properties()
                    .forEach(entry -> amounts.put(
                            entry.getKey(),
                            amount(entry.getKey(), entry.getValue().asString(""))));
        }
        return amounts;
    }
}
