package io.atoll.syncer.config;

import io.atoll.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code sync.toHost.pods}: how a tenant's pods differ on the host. Immutable; the trees are shared and not to be
 * changed.
 *
 * @param enabled whether pods are synced at all
 * @param translateImage images by the tenant's names for them, exact
 * @param enforcedTolerations added to every pod, if not there
 * @param template {@code metadata} and {@code spec} that every pod gets; empty for none
 * @param runtimeClassName of every pod; empty to leave it
 * @param priorityClassName of pods that have none; empty for none
 * @param serviceAccountName of every pod on the host; empty for {@code vc-workload-NAME}, made by the syncer
 * @param allowedHostPaths folders of nodes that pods may mount; none by default
 */
public record PodConfig(
        boolean enabled,
        Map<String, String> translateImage,
        List<ObjectNode> enforcedTolerations,
        ObjectNode template,
        String runtimeClassName,
        String priorityClassName,
        String serviceAccountName,
        List<String> allowedHostPaths) {

    private static final String PATH = "sync.toHost.pods";
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    public PodConfig {
        translateImage = Map.copyOf(translateImage);
        enforcedTolerations = List.copyOf(enforcedTolerations);
        allowedHostPaths = List.copyOf(allowedHostPaths);
    }

    static PodConfig read(ObjectNode tree, List<String> mistakes) {
        List<ObjectNode> tolerations = new ArrayList<>();
        JsonNode enforced = ConfigTree.at(tree, PATH + ".enforceTolerations");
        if (enforced.isArray()) {
            for (JsonNode text : enforced) {
                tolerations.add(toleration(text, mistakes));
            }
        }
        ObjectNode template = Json.object();
        if (ConfigTree.at(tree, PATH + ".podTemplate") instanceof ObjectNode given
                && ConfigTree.flag(tree, PATH + ".usePodTemplate", true)) {
            template = readTemplate(given.deepCopy(), mistakes);
        }
        List<String> paths = new ArrayList<>();
        for (JsonNode path : ConfigTree.at(tree, PATH + ".allowedHostPaths")) {
            if (!path.asString("").startsWith("/")) {
                mistakes.add(PATH + ".allowedHostPaths: " + path + " is not an absolute path");
            }
            paths.add(path.asString(""));
        }
        return new PodConfig(
                ConfigTree.flag(tree, PATH + ".enabled", true),
                strings(ConfigTree.at(tree, PATH + ".translateImage")),
                tolerations,
                template,
                ConfigTree.text(tree, PATH + ".runtimeClassName", ""),
                ConfigTree.text(tree, PATH + ".priorityClassName", ""),
                ConfigTree.text(tree, "controlPlane.advanced.workloadServiceAccount.name", ""),
                paths);
    }

    static Map<String, String> strings(JsonNode map) {
        Map<String, String> strings = new LinkedHashMap<>();
        map.properties()
                .forEach(entry -> strings.put(entry.getKey(), entry.getValue().asString("")));
        return strings;
    }

    private static ObjectNode readTemplate(ObjectNode template, List<String> mistakes) {
        for (JsonNode toleration : template.path("spec").path("tolerations")) {
            if (!toleration.isObject()) {
                mistakes.add(PATH + ".podTemplate.spec.tolerations must hold objects, not " + toleration);
            }
        }
        for (String field : List.of("metadata", "spec")) {
            if (template.has(field) && !template.path(field).isObject()) {
                mistakes.add(PATH + ".podTemplate." + field + " must be a map");
                template.remove(field);
            }
        }
        return template;
    }

    /** {@code key=value:Effect}, {@code key:Effect}, {@code key=value}, {@code key}, {@code :Effect}, or an object. */
    private static ObjectNode toleration(JsonNode given, List<String> mistakes) {
        if (given instanceof ObjectNode object) {
            return object.deepCopy();
        }
        String text = given.asString("");
        int colon = text.lastIndexOf(':');
        String effect = colon < 0 ? "" : text.substring(colon + 1);
        String key = colon < 0 ? text : text.substring(0, colon);
        int equals = key.indexOf('=');
        ObjectNode toleration = Json.object();
        if (equals >= 0) {
            toleration.put("key", key.substring(0, equals)).put("operator", "Equal");
            toleration.put("value", key.substring(equals + 1));
        } else {
            if (!key.isEmpty() && !key.equals("*")) {
                toleration.put("key", key);
            }
            toleration.put("operator", "Exists");
        }
        if (!effect.isEmpty()) {
            toleration.put("effect", effect);
            if (!EFFECTS.contains(effect)) {
                mistakes.add(PATH + ".enforceTolerations: " + text + ": the effect must be one of NoSchedule,"
                        + " PreferNoSchedule, NoExecute");
            }
        }
        return toleration;
    }
}
