package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import io.atoll.reconcile.ObjectKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the pods behind each Service into Endpoints and EndpointSlices. Keys name services. */
final class EndpointsController extends KeyedController {
    private static final String HEADLESS = "service.kubernetes.io/headless";

    private final EndpointSlices slices;

    EndpointsController(ControllerContext context) {
        super(context, "endpoint-controller");
        slices = new EndpointSlices(context);
    }

    @Override
    public void start() {
        watchOwn(Kinds.SERVICES);
        watch(Kinds.PODS, (before, after) -> {
            enqueueServices(before);
            enqueueServices(after);
        });
        watch(Kinds.ENDPOINT_SLICES, (before, after) -> {
            StoredObject gone = after == null ? before : null;
            if (gone != null) {
                String service = gone.metadata().labels().getOrDefault(EndpointSlices.SERVICE_NAME, "");
                enqueue(new ObjectKey(gone.namespace(), service));
            }
        });
        watch(Kinds.ENDPOINTS, (before, after) -> {
            if (after == null) {
                enqueue(before);
            }
        });
    }

    private void enqueueServices(@Nullable StoredObject pod) {
        if (pod == null) {
            return;
        }
        for (StoredObject service : cache.list(Kinds.SERVICES, pod.namespace())) {
            ServiceEndpoints.selector(service.tree())
                    .filter(selector -> selector.matches(pod.metadata().labels()))
                    .ifPresent(_ -> enqueue(service));
        }
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.SERVICES, key).map(StoredObject::tree);
        if (stored.isEmpty()) {
            deleteEndpoints(key);
            return Result.DONE;
        }
        ObjectNode service = stored.get();
        Optional<LabelSelector> selector = ServiceEndpoints.selector(service);
        if (selector.isEmpty() || Metadata.deleting(service)) {
            return Result.DONE;
        }
        List<ObjectNode> pods = ServiceEndpoints.pods(cache, key.namespace(), selector.get());
        try {
            writeEndpoints(service, pods);
            slices.write(service, pods);
        } catch (ApiException e) {
            if (!PodControl.namespaceTerminating(e)) {
                throw e;
            }
        }
        return Result.DONE;
    }

    /** Those of a deleted service go with it; the slices are the garbage collector's. */
    private void deleteEndpoints(ObjectKey key) {
        boolean ours = find(Kinds.ENDPOINTS, key)
                .map(endpoints -> endpoints.metadata().labels().containsKey(EndpointSlices.ENDPOINTS_MANAGED_BY))
                .orElse(false);
        if (ours) {
            try {
                client.delete(Kinds.ENDPOINTS, key.namespace(), key.name(), Client.DeleteOptions.DEFAULT);
            } catch (ApiException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
    }

    private void writeEndpoints(ObjectNode service, List<ObjectNode> pods) {
        ObjectKey key = new ObjectKey(Metadata.namespace(service), Metadata.name(service));
        ArrayNode subsets = subsets(service, pods);
        Map<String, String> labels = new LinkedHashMap<>(Metadata.labels(service));
        labels.put(EndpointSlices.ENDPOINTS_MANAGED_BY, "endpoint-controller");
        if (service.path("spec").path("clusterIP").asString("").equals("None")) {
            labels.put(HEADLESS, "");
        }
        Optional<ObjectNode> present = find(Kinds.ENDPOINTS, key).map(StoredObject::tree);
        if (present.isEmpty()) {
            ObjectNode endpoints = Json.object();
            endpoints.put("apiVersion", "v1").put("kind", "Endpoints");
            endpoints.putObject("metadata").put("name", key.name()).put("namespace", key.namespace());
            Metadata.setLabels(endpoints, labels);
            endpoints.set("subsets", subsets);
            client.create(Kinds.ENDPOINTS, key.namespace(), endpoints);
            return;
        }
        ObjectNode endpoints = present.get();
        boolean same = Metadata.labels(endpoints).equals(labels)
                && (Json.same(endpoints.path("subsets"), subsets)
                        || (subsets.isEmpty() && endpoints.path("subsets").isEmpty()));
        if (!same) {
            Metadata.setLabels(endpoints, labels);
            endpoints.set("subsets", subsets);
            client.update(Kinds.ENDPOINTS, endpoints);
        }
    }

    /** One subset for each different list of ports. */
    private static ArrayNode subsets(ObjectNode service, List<ObjectNode> pods) {
        Map<List<ServiceEndpoints.Port>, ObjectNode> byPorts = new LinkedHashMap<>();
        for (ObjectNode pod : pods) {
            ServiceEndpoints.Address address = ServiceEndpoints.address(service, pod);
            if (address == null || address.terminating()) {
                continue;
            }
            List<ServiceEndpoints.Port> ports = ServiceEndpoints.ports(service, pod);
            ObjectNode subset = byPorts.computeIfAbsent(ports, _ -> Json.object());
            String field = address.ready() ? "addresses" : "notReadyAddresses";
            ArrayNode addresses = subset.get(field) instanceof ArrayNode known ? known : subset.putArray(field);
            addresses.add(address(address));
        }
        ArrayNode subsets = Json.array();
        byPorts.forEach((ports, subset) -> {
            if (!ports.isEmpty()) {
                ArrayNode array = subset.putArray("ports");
                ports.forEach(port -> array.add(port(port)));
            }
            subsets.add(subset);
        });
        return subsets;
    }

    private static ObjectNode address(ServiceEndpoints.Address address) {
        ObjectNode node = Json.object().put("ip", address.ip());
        String nodeName = address.pod().path("spec").path("nodeName").asString("");
        if (!nodeName.isEmpty()) {
            node.put("nodeName", nodeName);
        }
        node.set("targetRef", ServiceEndpoints.targetReference(address.pod()));
        return node;
    }

    private static ObjectNode port(ServiceEndpoints.Port port) {
        ObjectNode node = Json.object();
        if (!port.name().isEmpty()) {
            node.put("name", port.name());
        }
        node.put("port", port.number()).put("protocol", port.protocol());
        if (!port.appProtocol().isEmpty()) {
            node.put("appProtocol", port.appProtocol());
        }
        return node;
    }
}
