package io.atoll.syncer.translate;

import io.atoll.base.TenantId;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a tenant sees of a node that runs its pods: its name, what it offers and how it is; no addresses, machine ids,
 * taints, images, or labels that say where it stands or who else uses it. Stateless.
 */
public final class PseudoNode {
    private static final Set<String> LABELS = Set.of(
            "kubernetes.io/arch",
            "kubernetes.io/os",
            "kubernetes.io/hostname",
            "beta.kubernetes.io/arch",
            "beta.kubernetes.io/os");
    private static final Set<String> LABEL_PREFIXES =
            Set.of("nvidia.com/", "amd.com/", "cloud.google.com/gke-accelerator");

    /** Of these prefixes, but about the machine. */
    private static final Set<String> HIDDEN_LABELS = Set.of("nvidia.com/gpu.machine", "nvidia.com/gfd.timestamp");

    private PseudoNode() {}

    /**
     * The tenant's node object.
     *
     * @param allLabels whether the tenant sees the node with all its labels
     */
    public static ObjectNode of(TenantId tenant, ObjectNode hostNode, boolean allLabels) {
        String name = Metadata.name(hostNode);
        ObjectNode node = Json.object();
        node.put("kind", "Node").put("apiVersion", "v1").putObject("metadata").put("name", name);
        Map<String, String> labels = new LinkedHashMap<>();
        Metadata.labels(hostNode).forEach((key, value) -> {
            boolean shown = LABELS.contains(key) || LABEL_PREFIXES.stream().anyMatch(key::startsWith);
            if (allLabels || (shown && !HIDDEN_LABELS.contains(key))) {
                labels.put(key, value);
            }
        });
        labels.put("kubernetes.io/hostname", name);
        labels.put(Marks.FAKE_NODE, "true");
        Metadata.setLabels(node, labels);
        ObjectNode spec = node.putObject("spec");
        if (hostNode.path("spec").path("unschedulable").asBoolean(false)) {
            spec.put("unschedulable", true);
        }
        node.set("status", status(tenant, hostNode));
        return node;
    }

    /** Whether two statuses differ in more than the time of a heartbeat. */
    public static boolean differ(JsonNode one, JsonNode other) {
        return !Json.same(withoutHeartbeats(one), withoutHeartbeats(other));
    }

    private static ObjectNode status(TenantId tenant, ObjectNode hostNode) {
        JsonNode given = hostNode.path("status");
        ObjectNode status = Json.object();
        for (String field : new String[] {"capacity", "allocatable"}) {
            if (given.has(field)) {
                status.set(field, given.path(field).deepCopy());
            }
        }
        ArrayNode conditions = status.putArray("conditions");
        for (JsonNode condition : given.path("conditions")) {
            ObjectNode copy = conditions.addObject();
            for (String field : new String[] {"type", "status", "lastHeartbeatTime", "lastTransitionTime", "reason"}) {
                if (condition.has(field)) {
                    copy.set(field, condition.path(field).deepCopy());
                }
            }
        }
        String name = Metadata.name(hostNode);
        status.putArray("addresses").addObject().put("type", "Hostname").put("address", name);
        JsonNode info = given.path("nodeInfo");
        ObjectNode shown = status.putObject("nodeInfo");
        shown.put("machineID", id(tenant, name, "machine"));
        shown.put("systemUUID", id(tenant, name, "system"));
        shown.put("bootID", id(tenant, name, "boot"));
        for (String field : new String[] {"kernelVersion", "osImage", "containerRuntimeVersion"}) {
            shown.put(field, "");
        }
        shown.put("kubeletVersion", info.path("kubeletVersion").asString(""));
        shown.put("kubeProxyVersion", "");
        shown.put("operatingSystem", info.path("operatingSystem").asString("linux"));
        shown.put("architecture", info.path("architecture").asString("amd64"));
        return status;
    }

    private static ObjectNode withoutHeartbeats(JsonNode status) {
        ObjectNode copy = status instanceof ObjectNode object ? object.deepCopy() : Json.object();
        for (JsonNode condition : copy.path("conditions")) {
            if (condition instanceof ObjectNode object) {
                object.remove("lastHeartbeatTime");
            }
        }
        return copy;
    }

    /** The same each time for the tenant, and no clue for it that another tenant is on the same machine. */
    private static String id(TenantId tenant, String node, String what) {
        ByteBuffer hash = ByteBuffer.wrap(HostNames.sha256(tenant + "\n" + node + "\n" + what));
        return new UUID(hash.getLong(), hash.getLong()).toString();
    }
}
