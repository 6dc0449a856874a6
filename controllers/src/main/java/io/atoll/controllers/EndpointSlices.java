package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Keeps the EndpointSlices of a Service as its pods are. Any thread, one at a time for each service. */
final class EndpointSlices {
    static final String SERVICE_NAME = "kubernetes.io/service-name";
    static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    static final String ENDPOINTS_MANAGED_BY = "endpoints.kubernetes.io/managed-by";
    private static final String US = "endpointslice-controller.k8s.io";
    private static final int ENDPOINTS_PER_SLICE_MAX = 100;

    private final ControllerContext context;
    private final Client client;

    EndpointSlices(ControllerContext context) {
        this.context = context;
        this.client = context.client();
    }

    void write(ObjectNode service, List<ObjectNode> pods) {
        List<ObjectNode> wanted = wanted(service, pods);
        List<ObjectNode> present = present(service);
        for (int i = 0; i < wanted.size(); i++) {
            if (i < present.size()) {
                update(present.get(i), wanted.get(i));
            } else {
                create(service, wanted.get(i));
            }
        }
        for (ObjectNode surplus : present.subList(Math.min(wanted.size(), present.size()), present.size())) {
            delete(surplus);
        }
    }

    private List<ObjectNode> present(ObjectNode service) {
        List<ObjectNode> slices = new ArrayList<>();
        for (StoredObject slice : context.cache().list(Kinds.ENDPOINT_SLICES, Metadata.namespace(service))) {
            Map<String, String> labels = slice.metadata().labels();
            if (US.equals(labels.get(MANAGED_BY))
                    && Metadata.name(service).equals(labels.get(SERVICE_NAME))
                    && !slice.metadata().deleting()) {
                slices.add(slice.tree());
            }
        }
        if (slices.isEmpty()) {
            // The cache may not show yet what was created a moment ago; a second slice would stay for good.
            String selector = SERVICE_NAME + "=" + Metadata.name(service) + "," + MANAGED_BY + "=" + US;
            client.list(Kinds.ENDPOINT_SLICES, Metadata.namespace(service), Client.ListOptions.labels(selector))
                    .path("items")
                    .forEach(slice -> slices.add((ObjectNode) slice));
        }
        slices.sort(Deployments.BY_AGE);
        return slices;
    }

    /** Ports and endpoints, slice by slice; one without endpoints when there is nobody. */
    private static List<ObjectNode> wanted(ObjectNode service, List<ObjectNode> pods) {
        Map<List<ServiceEndpoints.Port>, List<ObjectNode>> byPorts = new LinkedHashMap<>();
        for (ObjectNode pod : pods) {
            ServiceEndpoints.Address address = ServiceEndpoints.address(service, pod);
            if (address != null) {
                byPorts.computeIfAbsent(ServiceEndpoints.ports(service, pod), _ -> new ArrayList<>())
                        .add(endpoint(address));
            }
        }
        if (byPorts.isEmpty()) {
            byPorts.put(List.of(), List.of());
        }
        List<ObjectNode> slices = new ArrayList<>();
        byPorts.forEach((ports, endpoints) -> {
            for (int from = 0; from == 0 || from < endpoints.size(); from += ENDPOINTS_PER_SLICE_MAX) {
                int to = Math.min(endpoints.size(), from + ENDPOINTS_PER_SLICE_MAX);
                slices.add(slice(ports, endpoints.subList(from, to)));
            }
        });
        return slices;
    }

    private static ObjectNode slice(List<ServiceEndpoints.Port> ports, List<ObjectNode> endpoints) {
        ObjectNode slice = Json.object();
        slice.put("addressType", "IPv4");
        ArrayNode array = slice.putArray("endpoints");
        endpoints.forEach(array::add);
        ArrayNode portArray = slice.putArray("ports");
        for (ServiceEndpoints.Port port : ports) {
            ObjectNode node = portArray.addObject();
            node.put("name", port.name()).put("port", port.number()).put("protocol", port.protocol());
            if (!port.appProtocol().isEmpty()) {
                node.put("appProtocol", port.appProtocol());
            }
        }
        return slice;
    }

    private static ObjectNode endpoint(ServiceEndpoints.Address address) {
        ObjectNode endpoint = Json.object();
        endpoint.putArray("addresses").add(address.ip());
        endpoint.putObject("conditions")
                .put("ready", address.ready())
                .put("serving", address.serving())
                .put("terminating", address.terminating());
        JsonNode spec = address.pod().path("spec");
        String hostname = spec.path("hostname").asString("");
        if (!hostname.isEmpty() && !spec.path("subdomain").asString("").isEmpty()) {
            endpoint.put("hostname", hostname);
        }
        String node = spec.path("nodeName").asString("");
        if (!node.isEmpty()) {
            endpoint.put("nodeName", node);
        }
        endpoint.set("targetRef", ServiceEndpoints.targetReference(address.pod()));
        return endpoint;
    }

    private void create(ObjectNode service, ObjectNode content) {
        ObjectNode slice = Json.object();
        slice.put("apiVersion", "discovery.k8s.io/v1").put("kind", "EndpointSlice");
        slice.putObject("metadata")
                .put("generateName", Metadata.name(service) + "-")
                .put("namespace", Metadata.namespace(service));
        Map<String, String> labels = new LinkedHashMap<>(Metadata.labels(service));
        labels.put(MANAGED_BY, US);
        labels.put(SERVICE_NAME, Metadata.name(service));
        Metadata.setLabels(slice, labels);
        Metadata.setOwnerReferences(slice, List.of(PodControl.controllerReference(service)));
        slice.setAll(content);
        client.create(Kinds.ENDPOINT_SLICES, Metadata.namespace(service), slice);
    }

    private void update(ObjectNode present, ObjectNode wanted) {
        if (sameList(present, wanted, "endpoints") && sameList(present, wanted, "ports")) {
            return;
        }
        present.setAll(wanted);
        client.update(Kinds.ENDPOINT_SLICES, present);
    }

    private static boolean sameList(ObjectNode left, ObjectNode right, String field) {
        return Json.same(left.path(field), right.path(field))
                || (left.path(field).isEmpty() && right.path(field).isEmpty());
    }

    private void delete(ObjectNode slice) {
        try {
            client.delete(
                    Kinds.ENDPOINT_SLICES,
                    Metadata.namespace(slice),
                    Metadata.name(slice),
                    Client.DeleteOptions.DEFAULT);
        } catch (ApiException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }
}
