package io.atoll.controllers;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Which nodes a DaemonSet's pods belong on, and how a pod is made for one of them. Stateless. */
final class DaemonPlacement {
    /** What daemons put up with, beyond what their template says. */
    private static final String[][] TOLERATIONS = {
        {"node.kubernetes.io/not-ready", "NoExecute"},
        {"node.kubernetes.io/unreachable", "NoExecute"},
        {"node.kubernetes.io/disk-pressure", "NoSchedule"},
        {"node.kubernetes.io/memory-pressure", "NoSchedule"},
        {"node.kubernetes.io/pid-pressure", "NoSchedule"},
        {"node.kubernetes.io/unschedulable", "NoSchedule"},
    };

    private DaemonPlacement() {}

    /** A pod for one node, which the scheduler will bind there and nowhere else. */
    static ObjectNode pod(ObjectNode set, String node, String revisionHash) {
        ObjectNode pod = PodControl.fromTemplate(set.path("spec").path("template"), set);
        Metadata.setLabel(pod, RevisionHistory.POD_LABEL, revisionHash);
        Metadata.setLabel(pod, "pod-template-generation", Long.toString(Metadata.generation(set)));
        ObjectNode spec = Json.child(pod, "spec");
        addTolerations(spec);
        ObjectNode required = Json.child(
                Json.child(Json.child(spec, "affinity"), "nodeAffinity"),
                "requiredDuringSchedulingIgnoredDuringExecution");
        ObjectNode byName = Json.object();
        byName.put("key", "metadata.name").put("operator", "In");
        byName.putArray("values").add(node);
        ArrayNode terms = Json.array();
        if (required.path("nodeSelectorTerms").isEmpty()) {
            terms.addObject().putArray("matchFields").add(byName);
        }
        for (JsonNode term : required.path("nodeSelectorTerms")) {
            // The template's own fields give way: the node has been chosen already.
            ObjectNode copy = ((ObjectNode) term).deepCopy();
            copy.putArray("matchFields").add(byName);
            terms.add(copy);
        }
        required.set("nodeSelectorTerms", terms);
        return pod;
    }

    /** The node that a pod is on or was made for. */
    static String node(JsonNode pod) {
        String bound = pod.path("spec").path("nodeName").asString("");
        if (!bound.isEmpty()) {
            return bound;
        }
        JsonNode terms = required(pod.path("spec"));
        return terms.path(0).path("matchFields").path(0).path("values").path(0).asString("");
    }

    private static JsonNode required(JsonNode spec) {
        return spec.path("affinity")
                .path("nodeAffinity")
                .path("requiredDuringSchedulingIgnoredDuringExecution")
                .path("nodeSelectorTerms");
    }

    private static void addTolerations(ObjectNode spec) {
        ArrayNode tolerations =
                spec.get("tolerations") instanceof ArrayNode present ? present : spec.putArray("tolerations");
        for (String[] toleration : TOLERATIONS) {
            tolerations
                    .addObject()
                    .put("key", toleration[0])
                    .put("operator", "Exists")
                    .put("effect", toleration[1]);
        }
        if (spec.path("hostNetwork").asBoolean(false)) {
            tolerations
                    .addObject()
                    .put("key", "node.kubernetes.io/network-unavailable")
                    .put("operator", "Exists")
                    .put("effect", "NoSchedule");
        }
    }

    /** Whether a new pod of the set belongs on the node. */
    static boolean shouldRun(ObjectNode set, ObjectNode node) {
        return selects(set, node) && tolerates(set, node, Set.of("NoSchedule", "NoExecute"));
    }

    /** Whether a pod that is on the node may stay. */
    static boolean mayStay(ObjectNode set, ObjectNode node) {
        return selects(set, node) && tolerates(set, node, Set.of("NoExecute"));
    }

    private static boolean selects(ObjectNode set, ObjectNode node) {
        JsonNode spec = set.path("spec").path("template").path("spec");
        Map<String, String> labels = Metadata.labels(node);
        for (Map.Entry<String, JsonNode> wanted : spec.path("nodeSelector").properties()) {
            if (!wanted.getValue().asString("").equals(labels.get(wanted.getKey()))) {
                return false;
            }
        }
        JsonNode terms = required(spec);
        if (terms.isEmpty()) {
            return true;
        }
        for (JsonNode term : terms) {
            if (matches(term, labels, Metadata.name(node))) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(JsonNode term, Map<String, String> labels, String name) {
        JsonNode expressions = term.path("matchExpressions");
        JsonNode fields = term.path("matchFields");
        if (expressions.isEmpty() && fields.isEmpty()) {
            return false;
        }
        for (JsonNode expression : expressions) {
            if (!matches(expression, labels.get(expression.path("key").asString("")))) {
                return false;
            }
        }
        for (JsonNode field : fields) {
            if (!matches(field, field.path("key").asString("").equals("metadata.name") ? name : null)) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(JsonNode expression, @org.jspecify.annotations.Nullable String value) {
        Set<String> values = new HashSet<>();
        expression.path("values").forEach(item -> values.add(item.asString("")));
        return switch (expression.path("operator").asString("")) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> compare(value, values) > 0;
            case "Lt" -> compare(value, values) < 0;
            default -> false;
        };
    }

    private static int compare(@org.jspecify.annotations.Nullable String value, Set<String> values) {
        try {
            return value == null || values.size() != 1
                    ? 0
                    : Long.compare(
                            Long.parseLong(value),
                            Long.parseLong(values.iterator().next()));
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    private static boolean tolerates(ObjectNode set, ObjectNode node, Set<String> effects) {
        ObjectNode spec = ((ObjectNode) set.path("spec").path("template").path("spec")).deepCopy();
        addTolerations(spec);
        for (JsonNode taint : node.path("spec").path("taints")) {
            if (effects.contains(taint.path("effect").asString(""))
                    && spec.path("tolerations").valueStream().noneMatch(toleration -> tolerates(toleration, taint))) {
                return false;
            }
        }
        return true;
    }

    private static boolean tolerates(JsonNode toleration, JsonNode taint) {
        String effect = toleration.path("effect").asString("");
        String key = toleration.path("key").asString("");
        boolean exists = toleration.path("operator").asString("").equals("Exists");
        if (!effect.isEmpty() && !effect.equals(taint.path("effect").asString(""))) {
            return false;
        }
        if (key.isEmpty()) {
            return exists;
        }
        return key.equals(taint.path("key").asString(""))
                && (exists
                        || toleration
                                .path("value")
                                .asString("")
                                .equals(taint.path("value").asString("")));
    }
}
