package io.atoll.controllers;

import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Which pods a ResourceQuota counts. Stateless. */
final class QuotaScopes {
    private QuotaScopes() {}

    static boolean none(JsonNode quota) {
        return quota.path("spec").path("scopes").isEmpty()
                && quota.path("spec")
                        .path("scopeSelector")
                        .path("matchExpressions")
                        .isEmpty();
    }

    static boolean match(JsonNode quota, JsonNode pod) {
        for (JsonNode scope : quota.path("spec").path("scopes")) {
            if (!has(scope.asString(""), pod)) {
                return false;
            }
        }
        for (JsonNode expression : quota.path("spec").path("scopeSelector").path("matchExpressions")) {
            if (!matches(expression, pod)) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(JsonNode expression, JsonNode pod) {
        String scope = expression.path("scopeName").asString("");
        String operator = expression.path("operator").asString("");
        if (!scope.equals("PriorityClass")) {
            return has(scope, pod);
        }
        String priority = pod.path("spec").path("priorityClassName").asString("");
        Set<String> values = new HashSet<>();
        expression.path("values").forEach(value -> values.add(value.asString("")));
        return switch (operator) {
            case "In" -> values.contains(priority);
            case "NotIn" -> !values.contains(priority);
            case "Exists" -> !priority.isEmpty();
            case "DoesNotExist" -> priority.isEmpty();
            default -> false;
        };
    }

    private static boolean has(String scope, JsonNode pod) {
        boolean terminating = pod.path("spec").path("activeDeadlineSeconds").isNumber();
        return switch (scope) {
            case "Terminating" -> terminating;
            case "NotTerminating" -> !terminating;
            case "BestEffort" -> bestEffort(pod);
            case "NotBestEffort" -> !bestEffort(pod);
            case "PriorityClass" ->
                !pod.path("spec").path("priorityClassName").asString("").isEmpty();
            default -> false;
        };
    }

    private static boolean bestEffort(JsonNode pod) {
        for (String kind : new String[] {"requests", "limits"}) {
            var quantities = PodRequests.of(pod, kind);
            if (quantities.containsKey("cpu") || quantities.containsKey("memory")) {
                return false;
            }
        }
        return true;
    }
}
