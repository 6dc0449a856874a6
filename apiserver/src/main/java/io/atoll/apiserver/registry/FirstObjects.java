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
        objects.add(kubernetesService());
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

    private static ObjectNode kubernetesService() {
        ObjectNode service = Json.object();
        service.put("kind", "Service").put("apiVersion", "v1");
        Metadata.setName(service, "kubernetes");
        Metadata.setNamespace(service, "default");
        Metadata.setLabel(service, "component", "apiserver");
        Metadata.setLabel(service, "provider", "kubernetes");
        ObjectNode spec = service.putObject("spec");
        spec.put("clusterIP", ServiceAddresses.FIRST).putArray("clusterIPs").add(ServiceAddresses.FIRST);
        spec.put("type", "ClusterIP").put("sessionAffinity", "None").put("internalTrafficPolicy", "Cluster");
        spec.putArray("ipFamilies").add("IPv4");
        spec.put("ipFamilyPolicy", "SingleStack");
        ObjectNode port = spec.putArray("ports").addObject();
        port.put("name", "https").put("protocol", "TCP").put("port", 443).put("targetPort", 6443);
        service.putObject("status").putObject("loadBalancer");
        return service;
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
