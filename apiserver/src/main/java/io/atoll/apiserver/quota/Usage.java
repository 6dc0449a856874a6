package io.atoll.apiserver.quota;

import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.Quantity;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What one object uses of the resources that quotas can name. Stateless. */
final class Usage {
    private static final String STORAGE_CLASS_SUFFIX = ".storageclass.storage.k8s.io/";
    private static final Set<String> COUNTED_BY_NAME = Set.of(
            "configmaps", "secrets", "replicationcontrollers", "resourcequotas", "services", "persistentvolumeclaims");
    private static final Set<String> PLAIN = Set.of("cpu", "memory", "ephemeral-storage");

    private Usage() {}

    static Amounts of(GroupResource resource, JsonNode object) {
        Amounts used = new Amounts();
        used.put("count/" + resource, Quantity.of(1));
        if (!resource.group().isEmpty()) {
            return used;
        }
        if (COUNTED_BY_NAME.contains(resource.resource())) {
            used.put(resource.resource(), Quantity.of(1));
        }
        switch (resource.resource()) {
            case "pods" -> addPod(object, used);
            case "services" -> addService(object, used);
            case "persistentvolumeclaims" -> addClaim(object, used);
            default -> {}
        }
        return used;
    }

    /** Pods that have ended use nothing but their place in the store. */
    private static void addPod(JsonNode pod, Amounts used) {
        String phase = pod.path("status").path("phase").asString("");
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return;
        }
        used.put("pods", Quantity.of(1));
        PodAmounts.requests(pod).values().forEach((resource, quantity) -> {
            used.put("requests." + resource, quantity);
            if (PLAIN.contains(resource)) {
                used.put(resource, quantity);
            }
        });
        PodAmounts.limits(pod).values().forEach((resource, quantity) -> used.put("limits." + resource, quantity));
    }

    private static void addService(JsonNode service, Amounts used) {
        String type = service.path("spec").path("type").asString("ClusterIP");
        int ports = service.path("spec").path("ports").size();
        boolean allocates =
                service.path("spec").path("allocateLoadBalancerNodePorts").asBoolean(true);
        if (type.equals("NodePort") || (type.equals("LoadBalancer") && allocates)) {
            used.put("services.nodeports", Quantity.of(ports));
        }
        if (type.equals("LoadBalancer")) {
            used.put("services.loadbalancers", Quantity.of(1));
        }
    }

    private static void addClaim(JsonNode claim, Amounts used) {
        JsonNode spec = claim.path("spec");
        String text = spec.path("resources").path("requests").path("storage").asString("");
        Quantity storage = Quantity.isValid(text) ? Quantity.parse(text) : Quantity.ZERO;
        used.put("requests.storage", storage);
        String storageClass = spec.path("storageClassName").asString("");
        if (!storageClass.isEmpty()) {
            used.put(storageClass + STORAGE_CLASS_SUFFIX + "requests.storage", storage);
            used.put(storageClass + STORAGE_CLASS_SUFFIX + "persistentvolumeclaims", Quantity.of(1));
        }
    }

    /** Whether a quota of these scopes counts an object: only pods have scopes. */
    static boolean inScope(JsonNode quotaSpec, GroupResource resource, JsonNode object) {
        JsonNode scopes = quotaSpec.path("scopes");
        JsonNode expressions = quotaSpec.path("scopeSelector").path("matchExpressions");
        if (scopes.isEmpty() && expressions.isEmpty()) {
            return true;
        }
        if (!resource.group().isEmpty() || !resource.resource().equals("pods")) {
            return false;
        }
        for (JsonNode scope : scopes) {
            if (!matches(scope.asString(""), "Exists", Json.array(), object)) {
                return false;
            }
        }
        for (JsonNode expression : expressions) {
            if (!matches(
                    expression.path("scopeName").asString(""),
                    expression.path("operator").asString(""),
                    expression.path("values"),
                    object)) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(String scope, String operator, JsonNode values, JsonNode pod) {
        JsonNode spec = pod.path("spec");
        boolean terminating = spec.path("activeDeadlineSeconds").asLong(-1) >= 0;
        return switch (scope) {
            case "Terminating" -> terminating;
            case "NotTerminating" -> !terminating;
            case "BestEffort" -> isBestEffort(spec);
            case "NotBestEffort" -> !isBestEffort(spec);
            case "PriorityClass" ->
                matchesPriority(spec.path("priorityClassName").asString(""), operator, values);
            case "CrossNamespacePodAffinity" -> namesOtherNamespaces(spec.path("affinity"));
            default -> false;
        };
    }

    private static boolean matchesPriority(String name, String operator, JsonNode values) {
        boolean listed =
                values.valueStream().anyMatch(value -> value.asString("").equals(name));
        return switch (operator) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> !name.isEmpty();
            default -> name.isEmpty();
        };
    }

    private static boolean isBestEffort(JsonNode spec) {
        for (String list : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : spec.path(list)) {
                for (String kind : new String[] {"requests", "limits"}) {
                    JsonNode amounts = container.path("resources").path(kind);
                    if (amounts.has("cpu") || amounts.has("memory")) {
                        return false;
                    }
                }
            }
        }
        return true;
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
        for (JsonNode element : node.isArray() ? node : Json.array()) {
            if (namesOtherNamespaces(element)) {
                return true;
            }
        }
        return false;
    }
}
