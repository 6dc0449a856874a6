package io.atoll.syncer.translate;

import io.atoll.model.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a tenant sees of its host pod's status: all but the node's addresses, containers that the host added, and the
 * host's names. Stateless.
 */
public final class PodStatus {
    private static final List<String> STATUS_LISTS =
            List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

    private PodStatus() {}

    /**
     * The tenant pod's status from the host pod's.
     *
     * @param scrub takes the host's names out of a message
     */
    public static ObjectNode toTenant(ObjectNode tenantPod, ObjectNode hostPod, UnaryOperator<String> scrub) {
        ObjectNode status = hostPod.path("status") instanceof ObjectNode given ? given.deepCopy() : Json.object();
        ObjectNode own = tenantPod.path("status") instanceof ObjectNode given ? given : Json.object();
        status.remove(List.of(
                "hostIP", "hostIPs", "nominatedNodeName", "resourceClaimStatuses", "extendedResourceClaimStatus"));
        keep(own, status, "qosClass");
        message(status, scrub);
        long generation = tenantPod.path("metadata").path("generation").asLong(0);
        if (status.has("observedGeneration")) {
            status.put("observedGeneration", generation);
        }
        Set<String> containers = containerNames(tenantPod);
        for (String list : STATUS_LISTS) {
            if (status.get(list) instanceof ArrayNode entries) {
                status.set(list, containers(entries, containers, scrub));
            }
        }
        conditions(tenantPod, own, status, generation, scrub);
        return status;
    }

    private static ArrayNode containers(ArrayNode entries, Set<String> known, UnaryOperator<String> scrub) {
        ArrayNode kept = Json.array();
        for (JsonNode entry : entries) {
            if (known.contains(entry.path("name").asString(""))) {
                for (String state : List.of("state", "lastState")) {
                    for (JsonNode detail : entry.path(state)) {
                        if (detail instanceof ObjectNode object) {
                            message(object, scrub);
                        }
                    }
                }
                kept.add(entry);
            }
        }
        return kept;
    }

    /** Conditions are the host's, but for readiness gates, which the tenant's own controllers set. */
    private static void conditions(
            ObjectNode tenantPod, ObjectNode own, ObjectNode status, long generation, UnaryOperator<String> scrub) {
        Set<String> gates = new HashSet<>();
        for (JsonNode gate : tenantPod.path("spec").path("readinessGates")) {
            gates.add(gate.path("conditionType").asString(""));
        }
        ArrayNode conditions = Json.array();
        for (JsonNode condition : status.path("conditions")) {
            if (condition instanceof ObjectNode object
                    && !gates.contains(object.path("type").asString(""))) {
                message(object, scrub);
                if (object.has("observedGeneration")) {
                    object.put("observedGeneration", generation);
                }
                conditions.add(object);
            }
        }
        for (JsonNode condition : own.path("conditions")) {
            if (gates.contains(condition.path("type").asString(""))) {
                conditions.add(condition.deepCopy());
            }
        }
        if (!conditions.isEmpty()) {
            status.set("conditions", conditions);
        }
    }

    private static Set<String> containerNames(ObjectNode pod) {
        Set<String> names = new HashSet<>();
        for (ObjectNode container : PodSpecs.containers(pod.path("spec"))) {
            names.add(container.path("name").asString(""));
        }
        return names;
    }

    private static void message(ObjectNode object, UnaryOperator<String> scrub) {
        String message = object.path("message").asString("");
        if (!message.isEmpty()) {
            object.put("message", scrub.apply(message));
        }
    }

    private static void keep(ObjectNode from, ObjectNode into, String field) {
        JsonNode value = from.get(field);
        if (value != null) {
            into.set(field, value.deepCopy());
        }
    }
}
