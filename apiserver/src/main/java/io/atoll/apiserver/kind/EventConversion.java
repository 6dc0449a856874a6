package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Conversion;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code events.k8s.io/v1} shows the core group's events under other names. */
final class EventConversion implements Conversion {
    private static final String[][] CORE_TO_EVENTS = {
        {"involvedObject", "regarding"},
        {"message", "note"},
        {"reportingComponent", "reportingController"},
        {"source", "deprecatedSource"},
        {"firstTimestamp", "deprecatedFirstTimestamp"},
        {"lastTimestamp", "deprecatedLastTimestamp"},
        {"count", "deprecatedCount"},
    };

    @Override
    public ObjectNode toStorage(ObjectNode served) {
        for (String[] names : CORE_TO_EVENTS) {
            rename(served, names[1], names[0]);
        }
        JsonNode series = served.get("series");
        if (series instanceof ObjectNode object) {
            object.remove("state");
        }
        return served.put("apiVersion", "v1");
    }

    @Override
    public ObjectNode fromStorage(ObjectNode stored) {
        for (String[] names : CORE_TO_EVENTS) {
            rename(stored, names[0], names[1]);
        }
        return stored.put("apiVersion", "events.k8s.io/v1");
    }

    private static void rename(ObjectNode object, String from, String to) {
        JsonNode value = object.remove(from);
        if (value != null) {
            object.set(to, value);
        }
    }
}
