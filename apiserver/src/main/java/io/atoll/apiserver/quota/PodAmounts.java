package io.atoll.apiserver.quota;

import tools.jackson.databind.JsonNode;

/** What a pod asks for as a whole: its containers together, or its neediest init container, plus overhead. */
final class PodAmounts {
    private PodAmounts() {}

    static Amounts requests(JsonNode pod) {
        return total(pod, "requests");
    }

    static Amounts limits(JsonNode pod) {
        return total(pod, "limits");
    }

    private static Amounts total(JsonNode pod, String kind) {
        JsonNode spec = pod.path("spec");
        Amounts total = new Amounts();
        for (JsonNode container : spec.path("containers")) {
            total.add(Amounts.of(container.path("resources").path(kind)));
        }
        Amounts sidecars = new Amounts();
        Amounts starting = new Amounts();
        for (JsonNode container : spec.path("initContainers")) {
            Amounts own = Amounts.of(container.path("resources").path(kind));
            if (container.path("restartPolicy").asString("").equals("Always")) {
                sidecars.add(own);
                starting.atLeast(sidecars);
            } else {
                own.add(sidecars);
                starting.atLeast(own);
            }
        }
        total.add(sidecars);
        total.atLeast(starting);
        Amounts overhead = Amounts.of(spec.path("overhead"));
        overhead.values().forEach((resource, quantity) -> {
            if (kind.equals("requests") || total.has(resource)) {
                total.add(resource, quantity);
            }
        });
        Amounts ofPod = Amounts.of(spec.path("resources").path(kind));
        ofPod.values().forEach(total::put);
        return total;
    }
}
