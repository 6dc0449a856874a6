package io.atoll.syncer.config;

import io.atoll.model.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Moves the keys of charts before 0.20 to where they are today. Changes a tree in place; stateless. */
final class OldKeys {
    /** Old path to new one; whole subtrees move. A new key that is there too wins. */
    private static final Map<String, String> MOVES = moves();

    private static final Map<String, String> GONE = Map.of(
            "sync.generic", "use sync.toHost.customResources",
            "isolation.namespace", "the tenant's host namespace is made before it",
            "noopSyncer", "there is no syncer without work",
            "headless", "a tenant always has a control plane");

    private OldKeys() {}

    static void move(ObjectNode tree, List<String> mistakes, List<String> warnings) {
        GONE.forEach((path, instead) -> {
            if (ConfigTree.take(tree, path) != null) {
                mistakes.add(path + " is gone: " + instead);
            }
        });
        ConfigTree.take(tree, "sync.pods.ephemeralContainers");
        ConfigTree.take(tree, "sync.pods.status");
        fakes(tree);
        JsonNode args = ConfigTree.take(tree, "syncer.extraArgs");
        JsonNode nodeSelector = ConfigTree.take(tree, "sync.nodes.nodeSelector");
        JsonNode telemetryOff = ConfigTree.take(tree, "telemetry.disabled");
        if (telemetryOff != null) {
            put(tree, "telemetry.enabled", BooleanNode.valueOf(!telemetryOff.asBoolean(false)));
        }
        MOVES.forEach((from, to) -> {
            JsonNode value = ConfigTree.take(tree, from);
            if (value != null) {
                put(tree, to, value);
                warnings.add(from + " is now " + to);
            }
        });
        if (nodeSelector != null) {
            put(tree, "sync.fromHost.nodes.selector.labels", labels(nodeSelector.asString("")));
        }
        if (args instanceof ArrayNode list) {
            new SyncerFlags(tree, mistakes).read(list);
        } else if (args != null && !args.isNull()) {
            mistakes.add("syncer.extraArgs must be a list, not " + args);
        }
    }

    /** {@code a=b,c=d} as a map. */
    static ObjectNode labels(String text) {
        ObjectNode labels = Json.object();
        for (String pair : text.split(",")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                labels.set(
                        pair.substring(0, equals).trim(),
                        StringNode.valueOf(pair.substring(equals + 1).trim()));
            }
        }
        return labels;
    }

    /** Sets a value, or merges it, unless the path has one already. */
    static void put(ObjectNode tree, String path, JsonNode value) {
        JsonNode present = ConfigTree.at(tree, path);
        if (present.isMissingNode()) {
            ConfigTree.set(tree, path, value);
        } else if (present instanceof ObjectNode object && value instanceof ObjectNode old) {
            ObjectNode merged = old.deepCopy();
            ConfigTree.merge(merged, object);
            ConfigTree.set(tree, path, merged);
        }
    }

    private static void fakes(ObjectNode tree) {
        JsonNode fakeNodes = ConfigTree.take(tree, "sync.fake-nodes");
        if (fakeNodes != null && !fakeNodes.path("enabled").asBoolean(true)) {
            put(tree, "sync.fromHost.nodes.enabled", BooleanNode.TRUE);
        }
        ConfigTree.take(tree, "sync.fake-persistentvolumes");
    }

    private static @Nullable String camelCase(String old) {
        return switch (old) {
            case "persistentvolumeclaims" -> "persistentVolumeClaims";
            case "configmaps" -> "configMaps";
            case "priorityclasses" -> "priorityClasses";
            case "networkpolicies" -> "networkPolicies";
            case "poddisruptionbudgets" -> "podDisruptionBudgets";
            case "serviceaccounts" -> "serviceAccounts";
            case "storageclasses" -> "storageClasses";
            case "persistentvolumes" -> "persistentVolumes";
            default -> old;
        };
    }

    private static Map<String, String> moves() {
        Map<String, String> moves = new LinkedHashMap<>();
        for (String kind : List.of(
                "pods",
                "services",
                "endpoints",
                "persistentvolumeclaims",
                "configmaps",
                "secrets",
                "ingresses",
                "priorityclasses",
                "networkpolicies",
                "poddisruptionbudgets",
                "serviceaccounts",
                "storageclasses",
                "persistentvolumes")) {
            moves.put("sync." + kind, "sync.toHost." + camelCase(kind));
        }
        moves.put("sync.events", "sync.fromHost.events");
        moves.put("sync.ingressclasses", "sync.fromHost.ingressClasses");
        moves.put("sync.csinodes", "sync.fromHost.csiNodes");
        moves.put("sync.csidrivers", "sync.fromHost.csiDrivers");
        moves.put("sync.csistoragecapacities", "sync.fromHost.csiStorageCapacities");
        moves.put("sync.hoststorageclasses", "sync.fromHost.storageClasses");
        moves.put("sync.legacy-storageclasses", "sync.fromHost.storageClasses");
        moves.put("sync.nodes.enabled", "sync.fromHost.nodes.enabled");
        moves.put("sync.nodes.syncAllNodes", "sync.fromHost.nodes.selector.all");
        moves.put("sync.nodes.syncNodeChanges", "sync.fromHost.nodes.syncBackChanges");
        moves.put("sync.nodes.fakeKubeletIPs", "networking.advanced.proxyKubelets.byIP");
        moves.put("sync.nodes.enableScheduler", "controlPlane.distro.k8s.scheduler.enabled");
        moves.put("mapServices.fromVirtual", "networking.replicateServices.toHost");
        moves.put("mapServices.fromHost", "networking.replicateServices.fromHost");
        moves.put("proxy.metricsServer", "integrations.metricsServer");
        moves.put("isolation.podSecurityStandard", "policies.podSecurityStandard");
        moves.put("isolation.resourceQuota", "policies.resourceQuota");
        moves.put("isolation.limitRange", "policies.limitRange");
        moves.put("isolation.networkPolicy", "policies.networkPolicy");
        moves.put("isolation.enabled", "policies.networkPolicy.enabled");
        moves.put("multiNamespaceMode", "sync.toHost.namespaces");
        moves.put("fallbackHostDns", "networking.advanced.fallbackHostCluster");
        moves.put("coredns", "controlPlane.coredns");
        moves.put("embeddedEtcd", "controlPlane.backingStore.etcd.embedded");
        moves.put("etcd", "controlPlane.backingStore.etcd.deploy");
        moves.put("syncer", "controlPlane.statefulSet");
        moves.put("vcluster", "controlPlane.distro.k8s");
        moves.put("api", "controlPlane.distro.k8s.apiServer");
        moves.put("controller", "controlPlane.distro.k8s.controllerManager");
        moves.put("scheduler", "controlPlane.distro.k8s.scheduler");
        moves.put("storage", "controlPlane.statefulSet.persistence");
        for (String placement : List.of("nodeSelector", "tolerations", "affinity", "replicas", "securityContext")) {
            moves.put(placement, "controlPlane.statefulSet." + placement);
        }
        moves.put("service", "controlPlane.service");
        moves.put("ingress", "controlPlane.ingress");
        moves.put("serviceAccount", "controlPlane.advanced.serviceAccount");
        moves.put("openshift", "controlPlane.statefulSet.openshift");
        moves.put("centralAdmission", "policies.centralAdmission");
        moves.put("defaultImageRegistry", "controlPlane.advanced.defaultImageRegistry");
        moves.put("init", "experimental.deploy");
        return moves;
    }
}
