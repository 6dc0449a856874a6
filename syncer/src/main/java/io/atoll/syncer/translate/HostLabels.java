package io.atoll.syncer.translate;

import io.atoll.model.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tenant's labels and selectors on the host. Labels keep their keys, but for keys that say something to the host:
 * those get hashed ones. Every selector is confined to the tenant. Immutable; any thread.
 */
public final class HostLabels {
    /** {@code release}, as vCluster does; the queue, because whoever names it spends its quota. */
    private static final Set<String> RESERVED = Set.of("release", "kai.scheduler/queue");

    private static final Set<String> RESERVED_PREFIXES =
            Set.of(Marks.PREFIX, "atoll.dev/", "runai-gpu-group", "kai.scheduler/node-pool");

    private final HostNames names;

    public HostLabels(HostNames names) {
        this.names = names;
    }

    /** The labels of a host object. */
    public Map<String, String> of(String namespace, Map<String, String> labels) {
        Map<String, String> result = new LinkedHashMap<>();
        labels.forEach((key, value) -> result.put(key(key), value));
        result.put(Marks.MANAGED_BY, names.managedBy());
        result.put(Marks.NAMESPACE, namespace);
        return result;
    }

    /** The labels that a pod carries for its namespace. */
    public Map<String, String> ofNamespace(Map<String, String> labels) {
        Map<String, String> result = new LinkedHashMap<>();
        labels.forEach((key, value) -> result.put(names.namespaceLabel(key), value));
        return result;
    }

    /** The host's key for a label. */
    public String key(String key) {
        boolean reserved = RESERVED.contains(key) || RESERVED_PREFIXES.stream().anyMatch(key::startsWith);
        return reserved ? names.label(key) : key;
    }

    /** A plain map selector (a Service's), confined to one namespace of the tenant. */
    public ObjectNode mapSelector(String namespace, JsonNode selector) {
        ObjectNode result = Json.object();
        selector.properties().forEach(entry -> result.set(key(entry.getKey()), entry.getValue()));
        result.put(Marks.NAMESPACE, namespace);
        result.put(Marks.MANAGED_BY, names.managedBy());
        return result;
    }

    /** A label selector, confined to one namespace of the tenant. */
    public ObjectNode selector(String namespace, JsonNode selector) {
        ObjectNode result = keys(selector);
        Json.child(result, "matchLabels").put(Marks.NAMESPACE, namespace).put(Marks.MANAGED_BY, names.managedBy());
        return result;
    }

    /**
     * The selector of a term of pod affinity: confined to the namespaces that the term names, to those whose labels
     * match its namespace selector, or to the pod's own; and always to the tenant.
     */
    public ObjectNode affinitySelector(String namespace, JsonNode term) {
        ObjectNode result = keys(term.path("labelSelector"));
        ObjectNode matchLabels = Json.child(result, "matchLabels");
        matchLabels.put(Marks.MANAGED_BY, names.managedBy());
        JsonNode listed = term.path("namespaces");
        JsonNode chosen = term.path("namespaceSelector");
        if (!listed.isEmpty()) {
            ObjectNode in = expressions(result).addObject();
            in.put("key", Marks.NAMESPACE).put("operator", "In").set("values", listed.deepCopy());
        } else if (chosen.isObject()) {
            chosen.path("matchLabels")
                    .properties()
                    .forEach(entry -> matchLabels.set(names.namespaceLabel(entry.getKey()), entry.getValue()));
            for (JsonNode expression : chosen.path("matchExpressions")) {
                ObjectNode copy = (ObjectNode) expression.deepCopy();
                copy.put("key", names.namespaceLabel(expression.path("key").asString("")));
                expressions(result).add(copy);
            }
        } else {
            matchLabels.put(Marks.NAMESPACE, namespace);
        }
        return result;
    }

    private ObjectNode keys(JsonNode selector) {
        ObjectNode result = Json.object();
        ObjectNode matchLabels = result.putObject("matchLabels");
        selector.path("matchLabels")
                .properties()
                .forEach(entry -> matchLabels.set(key(entry.getKey()), entry.getValue()));
        for (JsonNode expression : selector.path("matchExpressions")) {
            ObjectNode copy = (ObjectNode) expression.deepCopy();
            copy.put("key", key(expression.path("key").asString("")));
            expressions(result).add(copy);
        }
        return result;
    }

    private static ArrayNode expressions(ObjectNode selector) {
        return selector.get("matchExpressions") instanceof ArrayNode present
                ? present
                : selector.putArray("matchExpressions");
    }
}
