package io.atoll.model.pod;

import io.atoll.model.Quantity;
import tools.jackson.databind.JsonNode;

/** A pod's quality of service, by what its containers request. Stateless; any thread. */
public final class QosClass {
    public static final String BEST_EFFORT = "BestEffort";

    private QosClass() {}

    public static String of(JsonNode podSpec) {
        boolean anything = false;
        boolean guaranteed = true;
        for (String field : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : podSpec.path(field)) {
                JsonNode requests = container.path("resources").path("requests");
                JsonNode limits = container.path("resources").path("limits");
                for (String resource : new String[] {"cpu", "memory"}) {
                    boolean requested = isSet(requests.path(resource));
                    boolean limited = isSet(limits.path(resource));
                    anything |= requested || limited;
                    guaranteed &= limited && (!requested || same(requests.path(resource), limits.path(resource)));
                }
            }
        }
        return !anything ? BEST_EFFORT : guaranteed ? "Guaranteed" : "Burstable";
    }

    private static boolean isSet(JsonNode quantity) {
        String text = quantity.asString("");
        return Quantity.isValid(text) && !Quantity.parse(text).isZero();
    }

    private static boolean same(JsonNode one, JsonNode other) {
        return Quantity.parse(one.asString("0")).equals(Quantity.parse(other.asString("0")));
    }
}
