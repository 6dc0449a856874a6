package io.atoll.apiserver.registry;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** What every cluster has from its first moment on. */
public final class FirstObjects {
    private static final List<String> NAMESPACES = List.of("default", "kube-node-lease", "kube-public", "kube-system");

    private FirstObjects() {}

    /** The first namespaces, then what the extensions bring; each with its identity. */
    public static List<ObjectNode> of(Registry registry, List<ObjectNode> fromExtensions) {
        List<ObjectNode> objects = new ArrayList<>();
        NAMESPACES.forEach(name -> objects.add(namespace(name)));
        objects.add(priorityClass(
                "system-cluster-critical",
                2000000000,
                "Used for system critical pods that must run"
                        + " in the cluster, but can be moved to another node if necessary."));
        objects.add(priorityClass(
                "system-node-critical",
                2000001000,
                "Used for system critical pods that must not be" + " moved from their current node."));
        fromExtensions.forEach(object -> objects.add(object.deepCopy()));
        for (ObjectNode object : objects) {
            Metadata.of(object).put("uid", registry.newUid()).put("creationTimestamp", registry.now());
        }
        return objects;
    }

    private static ObjectNode namespace(String name) {
        ObjectNode namespace = Json.object();
        namespace.put("kind", "Namespace").put("apiVersion", "v1");
        Metadata.setName(namespace, name);
        Metadata.setLabel(namespace, "kubernetes.io/metadata.name", name);
        namespace.putObject("spec").putArray("finalizers").add("kubernetes");
        namespace.putObject("status").put("phase", "Active");
        return namespace;
    }

    private static ObjectNode priorityClass(String name, long value, String description) {
        ObjectNode priority = Json.object();
        priority.put("kind", "PriorityClass").put("apiVersion", "scheduling.k8s.io/v1");
        Metadata.setName(priority, name);
        Metadata.setGeneration(priority, 1);
        priority.put("value", value).put("description", description).put("preemptionPolicy", "PreemptLowerPriority");
        return priority;
    }
}
