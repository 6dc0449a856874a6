package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.model.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** LimitRanges: containers' defaults follow from the bounds where they are not given. */
final class LimitRangeStrategy implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.CREATE_ON_UPDATE);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void applyDefaults(ObjectNode range) {
        for (JsonNode item : range.path("spec").path("limits")) {
            if (item instanceof ObjectNode limits
                    && item.path("type").asString("").equals("Container")) {
                fillIn(limits, "default", "max");
                fillIn(limits, "defaultRequest", "default");
                fillIn(limits, "defaultRequest", "min");
            }
        }
    }

    private static void fillIn(ObjectNode limits, String field, String from) {
        for (Map.Entry<String, JsonNode> amount : limits.path(from).properties()) {
            ObjectNode target = Json.child(limits, field);
            if (!target.has(amount.getKey())) {
                target.set(amount.getKey(), amount.getValue());
            }
        }
    }
}
