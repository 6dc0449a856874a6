package io.atoll.apiserver.quota;

import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.admission.Admission;
import io.atoll.apiserver.admission.AdmissionRequest;
import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Quantity;
import io.atoll.model.pod.PodResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Gives containers the defaults of their namespace's LimitRanges and holds pods and claims to their bounds. */
final class LimitRanger implements Admission {
    private static final GroupResource LIMIT_RANGES = new GroupResource("", "limitranges");
    private static final String ANNOTATION = "kubernetes.io/limit-ranger";

    private final ObjectReader objects;

    LimitRanger(ObjectReader objects) {
        this.objects = objects;
    }

    @Override
    public void admit(AdmissionRequest request) {
        ObjectNode pod = request.object();
        if (pod == null || request.operation() != Operation.CREATE || !isPod(request)) {
            return;
        }
        List<String> set = new ArrayList<>();
        for (LimitItem item : items(request.namespace())) {
            if (item.type().equals("Container")) {
                for (String list : new String[] {"initContainers", "containers"}) {
                    for (JsonNode container : pod.path("spec").path(list)) {
                        applyDefaults((ObjectNode) container, list, item, set);
                    }
                }
            }
        }
        if (!set.isEmpty()) {
            Metadata.setAnnotation(pod, ANNOTATION, "LimitRanger plugin set: " + String.join("; ", set));
        }
    }

    private static void applyDefaults(ObjectNode container, String list, LimitItem item, List<String> set) {
        String what = list.equals("containers") ? "container " : "init container ";
        String name = what + container.path("name").asString("");
        note(fill(container, "requests", item.defaultRequests()), "request for " + name, set);
        note(fill(container, "limits", item.defaultLimits()), "limit for " + name, set);
    }

    private static void note(List<String> filled, String what, List<String> set) {
        if (!filled.isEmpty()) {
            set.add(String.join(", ", filled) + " " + what);
        }
    }

    private static List<String> fill(ObjectNode container, String kind, Amounts defaults) {
        List<String> filled = new ArrayList<>();
        for (Map.Entry<String, Quantity> entry : defaults.values().entrySet()) {
            if (!container.path("resources").path(kind).has(entry.getKey())) {
                Json.child(Json.child(container, "resources"), kind)
                        .put(entry.getKey(), entry.getValue().toString());
                filled.add(entry.getKey());
            }
        }
        return filled;
    }

    @Override
    public void validate(AdmissionRequest request) {
        ObjectNode object = request.object();
        boolean claim = request.is("", "persistentvolumeclaims")
                && request.subresource().isEmpty();
        boolean pod = isPod(request) && request.operation() == Operation.CREATE;
        if (object == null || (!claim && !pod) || Metadata.deleting(object)) {
            return;
        }
        List<String> violations = new ArrayList<>();
        for (LimitItem item : items(request.namespace())) {
            switch (item.type()) {
                case "Container" -> {
                    if (pod) {
                        checkContainers(object, item, violations);
                    }
                }
                case "Pod" -> {
                    if (pod) {
                        JsonNode spec = object.path("spec");
                        item.check(
                                Amounts.of(PodResources.requests(spec)),
                                Amounts.of(PodResources.limits(spec)),
                                violations);
                    }
                }
                case "PersistentVolumeClaim" -> {
                    if (claim) {
                        item.checkRequests(
                                Amounts.of(object.path("spec").path("resources").path("requests")), violations);
                    }
                }
                default -> {}
            }
        }
        if (!violations.isEmpty()) {
            String text = violations.size() == 1 ? violations.getFirst() : "[" + String.join(", ", violations) + "]";
            throw ApiException.forbidden(request.resource().type().groupResource(), request.name(), text);
        }
    }

    private static void checkContainers(ObjectNode pod, LimitItem item, List<String> violations) {
        for (String list : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : pod.path("spec").path(list)) {
                JsonNode resources = container.path("resources");
                item.check(Amounts.of(resources.path("requests")), Amounts.of(resources.path("limits")), violations);
            }
        }
    }

    private List<LimitItem> items(String namespace) {
        List<LimitItem> items = new ArrayList<>();
        for (byte[] range : objects.list(LIMIT_RANGES, namespace)) {
            for (JsonNode item : Json.parse(range).path("spec").path("limits")) {
                items.add(LimitItem.of(item));
            }
        }
        return items;
    }

    private static boolean isPod(AdmissionRequest request) {
        return request.is("", "pods") && request.subresource().isEmpty();
    }
}
