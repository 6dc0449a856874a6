package io.atoll.model.pod;

import io.atoll.model.Quantity;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What a ResourceQuota counts of a pod, and which pods it counts. Stateless; any thread. */
public final class PodQuota {
    private static final Set<String> PLAIN = Set.of("cpu", "memory", "ephemeral-storage");

    private PodQuota() {}

    /** By the names that quotas use; pods that have ended use nothing but their place in the store. */
    public static Map<String, Quantity> usage(JsonNode pod) {
        Map<String, Quantity> used = new TreeMap<>();
        used.put("count/pods", Quantity.of(1));
        if (PodPhase.terminal(pod)) {
            return used;
        }
        used.put("pods", Quantity.of(1));
        PodResources.requests(pod.path("spec")).forEach((resource, quantity) -> {
            used.put("requests." + resource, quantity);
            if (PLAIN.contains(resource)) {
                used.put(resource, quantity);
            }
        });
        PodResources.limits(pod.path("spec")).forEach((resource, quantity) -> used.put("limits." + resource, quantity));
        return used;
    }

    /** Whether a quota counts some pods only, and nothing else. */
    public static boolean scoped(JsonNode quotaSpec) {
        return !quotaSpec.path("scopes").isEmpty()
                || !quotaSpec.path("scopeSelector").path("matchExpressions").isEmpty();
    }

    /** Whether a quota counts a pod: all of its scopes must hold. */
    public static boolean counts(JsonNode quotaSpec, JsonNode pod) {
        for (JsonNode scope : quotaSpec.path("scopes")) {
            if (!matches(scope.asString(""), "Exists", Set.of(), pod)) {
                return false;
            }
        }
        for (JsonNode expression : quotaSpec.path("scopeSelector").path("matchExpressions")) {
            Set<String> values = new java.util.HashSet<>();
            expression.path("values").forEach(value -> values.add(value.asString("")));
            if (!matches(
                    expression.path("scopeName").asString(""),
                    expression.path("operator").asString(""),
                    values,
                    pod)) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(String scope, String operator, Set<String> values, JsonNode pod) {
        JsonNode spec = pod.path("spec");
        boolean terminating = spec.path("activeDeadlineSeconds").asLong(-1) >= 0;
        boolean bestEffort = QosClass.of(spec).equals(QosClass.BEST_EFFORT);
        return switch (scope) {
            case "Terminating" -> terminating;
            case "NotTerminating" -> !terminating;
            case "BestEffort" -> bestEffort;
            case "NotBestEffort" -> !bestEffort;
            case "PriorityClass" ->
                matchesPriority(spec.path("priorityClassName").asString(""), operator, values);
            case "CrossNamespacePodAffinity" -> namesOtherNamespaces(spec.path("affinity"));
            default -> false;
        };
    }

    private static boolean matchesPriority(String name, String operator, Set<String> values) {
        return switch (operator) {
            case "In" -> values.contains(name);
            case "NotIn" -> !values.contains(name);
            case "Exists" -> !name.isEmpty();
            default -> name.isEmpty();
        };
    }

    private static boolean namesOtherNamespaces(JsonNode node) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            boolean names =
                    (entry.getKey().equals("namespaces") && !entry.getValue().isEmpty())
                            || entry.getKey().equals("namespaceSelector");
            if (names || namesOtherNamespaces(entry.getValue())) {
                return true;
            }
        }
        return node.isArray() && node.valueStream().anyMatch(PodQuota::namesOtherNamespaces);
    }
}
