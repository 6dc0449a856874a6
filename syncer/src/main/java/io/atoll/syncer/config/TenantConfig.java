package io.atoll.syncer.config;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a tenant's owner asked for: {@code vcluster.yaml} with everything that Atoll acts on as fields. Immutable.
 *
 * @param podSecurityStandard {@code privileged}, {@code baseline} or {@code restricted}
 * @param setOwner whether host objects go with the tenant
 * @param warnings what was accepted without effect, or under an old name
 * @param values the configuration as a tree, under today's keys: what {@link #of} reads again
 */
public record TenantConfig(
        PodConfig pods,
        ObjectConfig configMaps,
        ObjectConfig secrets,
        boolean syncServices,
        boolean syncPersistentVolumeClaims,
        boolean syncEvents,
        NodeConfig nodes,
        String clusterDomain,
        String podSecurityStandard,
        boolean setOwner,
        List<String> warnings,
        ObjectNode values) {

    public TenantConfig {
        warnings = List.copyOf(warnings);
        values = values.deepCopy();
    }

    /** @param all whether objects that nothing refers to are synced as well */
    public record ObjectConfig(boolean enabled, boolean all) {}

    /**
     * The tenant's view of nodes.
     *
     * @param real whether nodes are shown with all their labels, and unused ones too
     * @param all whether the view ignores {@code labels}
     * @param labels what a node must have to be shown and to get a pod
     */
    public record NodeConfig(boolean real, boolean all, Map<String, String> labels) {
        public NodeConfig {
            labels = Map.copyOf(labels);
        }
    }

    /** No keys at all. */
    public static TenantConfig defaults() {
        return of(Json.object());
    }

    /**
     * Reads what a command line gives: YAML texts, each over the one before, then {@code --set} values.
     *
     * @throws ConfigException with every mistake
     */
    public static TenantConfig load(List<String> yamlTexts, List<String> sets) {
        List<String> mistakes = new ArrayList<>();
        ObjectNode tree = Json.object();
        for (String text : yamlTexts) {
            try {
                ConfigTree.merge(tree, Yaml.parse(text));
            } catch (ApiException e) {
                mistakes.add(String.valueOf(e.getMessage()));
            }
        }
        for (String set : sets) {
            try {
                SetValues.apply(set, tree);
            } catch (ConfigException e) {
                mistakes.addAll(e.mistakes());
            }
        }
        return read(tree, mistakes);
    }

    /**
     * Reads a tree, as the TenantCluster resource holds it.
     *
     * @throws ConfigException with every mistake
     */
    public static TenantConfig of(ObjectNode tree) {
        return read(tree.deepCopy(), new ArrayList<>());
    }

    /** A copy of {@link #values}. */
    public ObjectNode toTree() {
        return values.deepCopy();
    }

    /** The tree stays the record's own. */
    @Override
    public ObjectNode values() {
        return values.deepCopy();
    }

    private static TenantConfig read(ObjectNode tree, List<String> mistakes) {
        List<String> warnings = new ArrayList<>();
        OldKeys.move(tree, mistakes, warnings);
        ConfigKeys.all().check(tree, mistakes, warnings);
        PodConfig pods = PodConfig.read(tree, mistakes);
        String standard = ConfigTree.text(tree, "policies.podSecurityStandard", "");
        if (!List.of("", "privileged", "baseline", "restricted").contains(standard)) {
            mistakes.add("policies.podSecurityStandard must be privileged, baseline or restricted, not " + standard);
        }
        if (!mistakes.isEmpty()) {
            throw new ConfigException(mistakes);
        }
        JsonNode labels = ConfigTree.at(tree, "sync.fromHost.nodes.selector.labels");
        return new TenantConfig(
                pods,
                objects(tree, "sync.toHost.configMaps"),
                objects(tree, "sync.toHost.secrets"),
                ConfigTree.flag(tree, "sync.toHost.services.enabled", true),
                ConfigTree.flag(tree, "sync.toHost.persistentVolumeClaims.enabled", true),
                ConfigTree.flag(tree, "sync.fromHost.events.enabled", true),
                new NodeConfig(
                        ConfigTree.flag(tree, "sync.fromHost.nodes.enabled", false),
                        ConfigTree.flag(tree, "sync.fromHost.nodes.selector.all", false),
                        PodConfig.strings(labels)),
                ConfigTree.text(tree, "networking.advanced.clusterDomain", "cluster.local"),
                standard.isEmpty() ? "baseline" : standard,
                ConfigTree.flag(tree, "experimental.syncSettings.setOwner", true),
                warnings,
                tree);
    }

    private static ObjectConfig objects(ObjectNode tree, String path) {
        return new ObjectConfig(
                ConfigTree.flag(tree, path + ".enabled", true), ConfigTree.flag(tree, path + ".all", false));
    }
}
