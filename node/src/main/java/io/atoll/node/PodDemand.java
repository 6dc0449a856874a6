package io.atoll.node;

import io.atoll.model.pod.PodResources;
import io.atoll.node.gpu.DeviceLedger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What a pod takes of its node. Stateless. */
final class PodDemand {
    static final String GPU = "nvidia.com/gpu";

    private PodDemand() {}

    /** By resource, in its units, and its place among the node's pods. */
    static Map<String, Long> of(JsonNode pod) {
        Map<String, Long> demand = new TreeMap<>(PodResources.requestedUnits(pod.path("spec")));
        demand.put("pods", 1L);
        return demand;
    }

    /** GPUs by container. */
    static DeviceLedger.Demand gpus(JsonNode pod) {
        Map<String, Integer> init = new LinkedHashMap<>();
        Map<String, Integer> running = new LinkedHashMap<>();
        for (JsonNode container : pod.path("spec").path("initContainers")) {
            (PodResources.sidecar(container) ? running : init).put(name(container), gpuCount(container));
        }
        for (JsonNode container : pod.path("spec").path("containers")) {
            running.put(name(container), gpuCount(container));
        }
        return new DeviceLedger.Demand(init, running);
    }

    private static int gpuCount(JsonNode container) {
        var gpus = PodResources.containerRequests(container).get(GPU);
        return gpus == null ? 0 : Math.clamp(gpus.value(), 0, Integer.MAX_VALUE);
    }

    private static String name(JsonNode container) {
        return container.path("name").asString("");
    }
}
