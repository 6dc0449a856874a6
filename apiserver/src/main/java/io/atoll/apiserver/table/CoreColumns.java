package io.atoll.apiserver.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

import static io.atoll.apiserver.table.Column.age;
import static io.atoll.apiserver.table.Column.named;
import static io.atoll.apiserver.table.Column.text;

/** Columns of pods, nodes, namespaces, configuration and events. */
final class CoreColumns {
    private static final String NODE_ROLE_PREFIX = "node-role.kubernetes.io/";
    private static final String NODE_ROLE = "kubernetes.io/role";

    private CoreColumns() {}

    static void addTo(BuiltInColumns.Registry registry) {
        registry.add(
                "/Pod",
                named(),
                text(
                        "Ready",
                        "Containers that are ready, of all.",
                        row -> row.pod().readyText()),
                text(
                        "Status",
                        "What the containers' states amount to.",
                        row -> row.pod().status()),
                text(
                        "Restarts",
                        "Restarts of the containers, and when the last one was.",
                        row -> row.pod().restartsText(row)),
                age(),
                text("IP", "@status.podIP", CoreColumns::podIp).wide(),
                text("Node", "spec.nodeName", Row.NONE, "@spec.nodeName").wide(),
                text("Nominated Node", "status.nominatedNodeName", Row.NONE, "@status.nominatedNodeName")
                        .wide(),
                text("Readiness Gates", "@spec.readinessGates", CoreColumns::readinessGates)
                        .wide());
        registry.add(
                "/Node",
                named(),
                text("Status", "Whether the node is ready and takes pods.", CoreColumns::nodeStatus),
                text("Roles", "The node's roles, from its labels.", CoreColumns::nodeRoles),
                age(),
                text("Version", "status.nodeInfo.kubeletVersion"),
                text("Internal-IP", "@status.addresses", row -> nodeAddress(row, "InternalIP"))
                        .wide(),
                text("External-IP", "@status.addresses", row -> nodeAddress(row, "ExternalIP"))
                        .wide(),
                nodeInfo("OS-Image", "status.nodeInfo.osImage"),
                nodeInfo("Kernel-Version", "status.nodeInfo.kernelVersion"),
                nodeInfo("Container-Runtime", "status.nodeInfo.containerRuntimeVersion"));
        registry.add("/Namespace", named(), text("Status", "@status.phase", row -> row.text("status.phase")), age());
        registry.add(
                "/ConfigMap",
                named(),
                text("Data", "@data", row -> (long) row.count("data") + row.count("binaryData")),
                age());
        registry.add(
                "/Secret",
                named(),
                text("Type", "type"),
                text("Data", "@data", row -> (long) row.count("data")),
                age());
        registry.add(
                "/ServiceAccount", named(), text("Secrets", "@secrets", row -> (long) row.count("secrets")), age());
        registry.add("/ResourceQuota", named(), age(), quota("Request", false), quota("Limit", true));
        registry.add(
                "/ComponentStatus",
                named(),
                text("Status", "@conditions", row -> componentHealthy(row, "status")),
                text("Message", "@conditions", row -> componentHealthy(row, "message")),
                text("Error", "@conditions", row -> componentHealthy(row, "error")));
        Column[] event = eventColumns();
        registry.add("/Event", event);
        registry.add("events.k8s.io/Event", event);
    }

    private static Column nodeInfo(String name, String path) {
        return text(name, path, HumanDuration.UNKNOWN, "@" + path).wide();
    }

    private static String podIp(Row row) {
        String first = Row.text(row.at("status.podIPs").path(0).path("ip"));
        return first.isEmpty() ? row.textOr("status.podIP", Row.NONE) : first;
    }

    private static String readinessGates(Row row) {
        JsonNode gates = row.at("spec.readinessGates");
        if (gates.isEmpty()) {
            return Row.NONE;
        }
        int open = 0;
        for (JsonNode gate : gates) {
            open += row.conditionTrue(Row.text(gate.path("conditionType"))) ? 1 : 0;
        }
        return open + "/" + gates.size();
    }

    private static String nodeStatus(Row row) {
        String ready = Row.text(row.condition("Ready").path("status"));
        String status = switch (ready) {
            case "" -> "Unknown";
            case "True" -> "Ready";
            default -> "NotReady";
        };
        return row.bool("spec.unschedulable", false) ? status + ",SchedulingDisabled" : status;
    }

    private static String nodeRoles(Row row) {
        TreeSet<String> roles = new TreeSet<>();
        for (Map.Entry<String, JsonNode> label : row.at("metadata.labels").properties()) {
            String key = label.getKey();
            String value = Row.text(label.getValue());
            if (key.startsWith(NODE_ROLE_PREFIX) && key.length() > NODE_ROLE_PREFIX.length()) {
                roles.add(key.substring(NODE_ROLE_PREFIX.length()));
            } else if (key.equals(NODE_ROLE) && !value.isEmpty()) {
                roles.add(value);
            }
        }
        return roles.isEmpty() ? Row.NONE : String.join(",", roles);
    }

    private static String nodeAddress(Row row, String type) {
        for (JsonNode address : row.at("status.addresses")) {
            if (type.equals(Row.text(address.path("type")))) {
                return Row.text(address.path("address"));
            }
        }
        return Row.NONE;
    }

    private static Column quota(String name, boolean limits) {
        String what = limits ? "Used and allowed limits." : "Used and allowed requests and counts.";
        return text(name, what, row -> {
            TreeSet<String> resources = new TreeSet<>();
            row.at("status.hard").properties().forEach(entry -> resources.add(entry.getKey()));
            List<String> shown = new ArrayList<>();
            for (String resource : resources) {
                if (resource.startsWith("limits.") == limits) {
                    String used = Row.text(row.at("status.used").path(resource));
                    String hard = Row.text(row.at("status.hard").path(resource));
                    shown.add(resource + ": " + (used.isEmpty() ? "0" : used) + "/" + hard);
                }
            }
            return String.join(", ", shown);
        });
    }

    private static String componentHealthy(Row row, String field) {
        for (JsonNode condition : row.at("conditions")) {
            if ("Healthy".equals(Row.text(condition.path("type")))) {
                if (field.equals("status")) {
                    return "True".equals(Row.text(condition.path("status"))) ? "Healthy" : "Unhealthy";
                }
                return Row.text(condition.path(field));
            }
        }
        return field.equals("status") ? "Unknown" : "";
    }

    /** Events are shown alike through both of their groups, whose field names differ. */
    private static Column[] eventColumns() {
        return new Column[] {
            text("Last Seen", "@lastTimestamp", CoreColumns::lastSeen),
            text("Type", "type"),
            text("Reason", "reason"),
            text("Object", "@involvedObject", CoreColumns::eventObject),
            text("Subobject", "@involvedObject", row -> either(row, "involvedObject.fieldPath", "regarding.fieldPath"))
                    .wide(),
            text("Source", "@source", CoreColumns::eventSource).wide(),
            text("Message", "@message", row -> either(row, "message", "note").strip()),
            text("First Seen", "@firstTimestamp", CoreColumns::firstSeen).wide(),
            text("Count", "@count", CoreColumns::eventCount).wide(),
            named().wide(),
        };
    }

    private static String either(Row row, String path, String otherPath) {
        return row.textOr(path, row.text(otherPath));
    }

    private static String firstSeen(Row row) {
        String first = either(row, "firstTimestamp", "deprecatedFirstTimestamp");
        return HumanDuration.since(first.isEmpty() ? row.text("eventTime") : first, row.now());
    }

    private static String lastSeen(Row row) {
        if (row.has("series")) {
            return row.since("series.lastObservedTime");
        }
        String last = either(row, "lastTimestamp", "deprecatedLastTimestamp");
        return last.isEmpty() ? firstSeen(row) : HumanDuration.since(last, row.now());
    }

    private static long eventCount(Row row) {
        if (row.has("series")) {
            return row.integer("series.count");
        }
        return Math.max(1, Math.max(row.integer("count"), row.integer("deprecatedCount")));
    }

    private static String eventObject(Row row) {
        String kind = either(row, "involvedObject.kind", "regarding.kind").toLowerCase(Locale.ROOT);
        String name = either(row, "involvedObject.name", "regarding.name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String eventSource(Row row) {
        String component = either(row, "source.component", "deprecatedSource.component");
        if (component.isEmpty()) {
            component = either(row, "reportingComponent", "reportingController");
        }
        String host = either(row, "source.host", "deprecatedSource.host");
        if (host.isEmpty()) {
            host = row.text("reportingInstance");
        }
        return host.isEmpty() ? component : component + ", " + host;
    }
}
