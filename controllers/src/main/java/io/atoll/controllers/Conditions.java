package io.atoll.controllers;

import io.atoll.model.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes {@code status.conditions}. Stateless. */
final class Conditions {
    private Conditions() {}

    static Optional<JsonNode> find(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asString("").equals(type)) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }

    static boolean isTrue(JsonNode status, String type) {
        return find(status, type)
                .map(condition -> condition.path("status").asString("").equals("True"))
                .orElse(false);
    }

    static ObjectNode of(String type, String status, String reason, String message) {
        ObjectNode condition = Json.object().put("type", type).put("status", status);
        condition.put("reason", reason).put("message", message);
        return condition;
    }

    /** Puts a condition in place of the one of its type, or at the end. */
    static void put(ObjectNode status, ObjectNode condition) {
        ArrayNode conditions = array(status);
        String type = condition.path("type").asString("");
        for (int i = 0; i < conditions.size(); i++) {
            if (conditions.get(i).path("type").asString("").equals(type)) {
                conditions.set(i, condition);
                return;
            }
        }
        conditions.add(condition);
    }

    /** Sets a condition; {@code lastTransitionTime} moves only when the status does. */
    static void set(ObjectNode status, ObjectNode condition, String now) {
        JsonNode before = find(status, condition.path("type").asString("")).orElse(Json.object());
        boolean same = before.path("status")
                .asString("")
                .equals(condition.path("status").asString(""));
        condition.put(
                "lastTransitionTime", same ? before.path("lastTransitionTime").asString(now) : now);
        put(status, condition);
    }

    static void remove(ObjectNode status, String type) {
        ArrayNode conditions = array(status);
        for (int i = conditions.size() - 1; i >= 0; i--) {
            if (conditions.get(i).path("type").asString("").equals(type)) {
                conditions.remove(i);
            }
        }
        if (conditions.isEmpty()) {
            status.remove("conditions");
        }
    }

    private static ArrayNode array(ObjectNode status) {
        return status.get("conditions") instanceof ArrayNode present ? present : status.putArray("conditions");
    }
}
