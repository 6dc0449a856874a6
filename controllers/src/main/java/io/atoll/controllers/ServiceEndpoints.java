package io.atoll.controllers;

import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which pods stand behind a Service, and on which ports. Stateless. */
final class ServiceEndpoints {
    /** A port as one pod offers it; pods may resolve a named port to different numbers. */
    record Port(String name, int number, String protocol, String appProtocol) {}

    /** A pod behind a service. */
    record Address(ObjectNode pod, String ip, boolean ready, boolean serving, boolean terminating) {}

    private ServiceEndpoints() {}

    /** Empty when the service has no selector: then its endpoints are somebody else's business. */
    static Optional<LabelSelector> selector(ObjectNode service) {
        JsonNode selector = service.path("spec").path("selector");
        if (selector.isEmpty() || service.path("spec").path("type").asString("").equals("ExternalName")) {
            return Optional.empty();
        }
        Map<String, String> labels = new TreeMap<>();
        selector.properties()
                .forEach(entry -> labels.put(entry.getKey(), entry.getValue().asString("")));
        return Optional.of(LabelSelector.of(labels));
    }

    static List<ObjectNode> pods(ObjectCache cache, String namespace, LabelSelector selector) {
        List<ObjectNode> pods = new ArrayList<>();
        for (StoredObject pod : cache.list(Kinds.PODS, namespace)) {
            if (selector.matches(pod.metadata().labels())) {
                pods.add(pod.tree());
            }
        }
        pods.sort(Comparator.comparing(pod -> Metadata.name(pod)));
        return pods;
    }

    /** Null for a pod that has no address or has ended. */
    static @Nullable Address address(ObjectNode service, ObjectNode pod) {
        String ip = pod.path("status").path("podIP").asString("");
        if (ip.isEmpty() || Pods.terminal(pod)) {
            return null;
        }
        boolean unready = service.path("spec").path("publishNotReadyAddresses").asBoolean(false);
        boolean serving = Pods.ready(pod);
        boolean terminating = Metadata.deleting(pod);
        return new Address(pod, ip, unready || (serving && !terminating), unready || serving, terminating);
    }

    /** The service's ports as this pod offers them; named ones that it does not have are left out. */
    static List<Port> ports(ObjectNode service, ObjectNode pod) {
        List<Port> ports = new ArrayList<>();
        for (JsonNode port : service.path("spec").path("ports")) {
            String protocol = port.path("protocol").asString("TCP");
            int number = number(port, pod, protocol);
            if (number > 0) {
                ports.add(new Port(
                        port.path("name").asString(""),
                        number,
                        protocol,
                        port.path("appProtocol").asString("")));
            }
        }
        return ports;
    }

    private static int number(JsonNode port, ObjectNode pod, String protocol) {
        JsonNode target = port.path("targetPort");
        if (target.isMissingNode() || target.isNull()) {
            return port.path("port").asInt(0);
        }
        if (target.isNumber()) {
            return target.asInt(0) == 0 ? port.path("port").asInt(0) : target.asInt(0);
        }
        for (String field : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : pod.path("spec").path(field)) {
                for (JsonNode offered : container.path("ports")) {
                    if (offered.path("name").asString("").equals(target.asString(""))
                            && offered.path("protocol").asString("TCP").equals(protocol)) {
                        return offered.path("containerPort").asInt(0);
                    }
                }
            }
        }
        return 0;
    }

    static ObjectNode targetReference(ObjectNode pod) {
        return io.atoll.model.Json.object()
                .put("kind", "Pod")
                .put("namespace", Metadata.namespace(pod))
                .put("name", Metadata.name(pod))
                .put("uid", Metadata.uid(pod));
    }
}
