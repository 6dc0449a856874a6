package io.atoll.syncer.config;

import io.atoll.model.Json;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Reads the command-line flags of old in {@code syncer.extraArgs} into today's keys. Used once, by one thread. */
final class SyncerFlags {
    private static final Set<String> SWITCHES = Set.of(
            "enforce-node-selector",
            "sync-all-nodes",
            "node-clear-image-status",
            "enable-scheduler",
            "fake-nodes",
            "fake-kubelet-ips",
            "disable-fake-kubelets",
            "override-hosts",
            "set-owner",
            "service-account-token-secrets",
            "sync-all-configmaps",
            "sync-all-secrets",
            "mount-physical-host-paths",
            "rewrite-host-paths",
            "multi-namespace-mode",
            "leader-elect",
            "sync-labels");

    private final ObjectNode tree;
    private final List<String> mistakes;

    SyncerFlags(ObjectNode tree, List<String> mistakes) {
        this.tree = tree;
        this.mistakes = mistakes;
    }

    void read(ArrayNode args) {
        int i = 0;
        while (i < args.size()) {
            String arg = args.get(i++).asString("");
            if (!arg.startsWith("-")) {
                mistakes.add("syncer.extraArgs: \"" + arg + "\" is not a flag");
                continue;
            }
            String flag = arg.replaceFirst("^--?", "");
            int equals = flag.indexOf('=');
            String name = equals < 0 ? flag : flag.substring(0, equals);
            String value = equals < 0 ? null : flag.substring(equals + 1);
            if (value == null && !SWITCHES.contains(name) && i < args.size()) {
                value = args.get(i++).asString("");
            }
            read(name, value);
        }
    }

    private void read(String name, @Nullable String given) {
        String value = given == null ? "true" : given;
        switch (name) {
            case "node-selector" -> merge("sync.fromHost.nodes.selector.labels", OldKeys.labels(value));
            case "enforce-node-selector" -> {
                if (value.equals("false")) {
                    mistakes.add("syncer.extraArgs: --enforce-node-selector=false is not supported: it always is");
                }
            }
            case "enforce-toleration" -> append("sync.toHost.pods.enforceTolerations", value);
            case "sync-all-nodes" -> set("sync.fromHost.nodes.selector.all", value);
            case "node-clear-image-status" -> set("sync.fromHost.nodes.clearImageStatus", value);
            case "fake-nodes" -> set("sync.fromHost.nodes.enabled", value.equals("false") ? "true" : "false");
            case "enable-scheduler" -> set("controlPlane.distro.k8s.scheduler.enabled", value);
            case "fake-kubelet-ips", "disable-fake-kubelets" -> set("networking.advanced.proxyKubelets.byIP", value);
            case "tls-san" -> append("controlPlane.proxy.extraSANs", value);
            case "translate-image" -> merge("sync.toHost.pods.translateImage", OldKeys.labels(value));
            case "service-account" -> set("controlPlane.advanced.workloadServiceAccount.name", value);
            case "override-hosts" -> set("sync.toHost.pods.rewriteHosts.enabled", value);
            case "override-hosts-container-image" -> set("sync.toHost.pods.rewriteHosts.initContainer.image", value);
            case "cluster-domain" -> set("networking.advanced.clusterDomain", value);
            case "set-owner" -> set("experimental.syncSettings.setOwner", value);
            case "service-account-token-secrets" -> set("sync.toHost.pods.useSecretsForSATokens", value);
            case "sync-all-configmaps" -> set("sync.toHost.configMaps.all", value);
            case "sync-all-secrets" -> set("sync.toHost.secrets.all", value);
            case "mount-physical-host-paths", "rewrite-host-paths" -> set("controlPlane.hostPathMapper.enabled", value);
            case "multi-namespace-mode" -> set("sync.toHost.namespaces.enabled", value);
            case "lease-duration", "renew-deadline", "retry-period" ->
                set("controlPlane.statefulSet.highAvailability." + name, value);
            case "bind-address" -> set("controlPlane.proxy.bindAddress", value);
            case "host-metrics-bind-address", "virtual-metrics-bind-address" ->
                set("experimental.syncSettings." + name, value);
            case "kube-config-context-name" -> set("exportKubeConfig.context", value);
            case "out-kube-config-server" -> set("exportKubeConfig.server", value);
            case "out-kube-config-secret" -> set("exportKubeConfig.secret.name", value);
            case "out-kube-config-secret-namespace" -> set("exportKubeConfig.secret.namespace", value);
            case "sync-labels", "leader-elect" -> {}
            case "sync" ->
                mistakes.add("syncer.extraArgs: --sync is gone: use sync.toHost.*.enabled and sync.fromHost.*.enabled");
            default -> mistakes.add("syncer.extraArgs: --" + name + " is not supported");
        }
    }

    private void set(String path, String value) {
        boolean flag = value.equals("true") || value.equals("false");
        OldKeys.put(tree, path, flag ? BooleanNode.valueOf(value.equals("true")) : StringNode.valueOf(value));
    }

    private void merge(String path, ObjectNode more) {
        ObjectNode merged = ConfigTree.at(tree, path) instanceof ObjectNode present ? present : Json.object();
        ConfigTree.merge(merged, more);
        ConfigTree.set(tree, path, merged);
    }

    private void append(String path, String value) {
        JsonNode present = ConfigTree.at(tree, path);
        ArrayNode list = present instanceof ArrayNode array ? array : Json.array();
        list.add(value);
        ConfigTree.set(tree, path, list);
    }
}
