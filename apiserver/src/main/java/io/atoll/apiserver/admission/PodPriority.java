package io.atoll.apiserver.admission;

import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.apiserver.registry.Registry;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Resolves a pod's priority class, and lets pods stay on a failing node for the usual five minutes. */
public final class PodPriority implements Admission {
    private static final GroupResource CLASSES = new GroupResource("scheduling.k8s.io", "priorityclasses");
    private static final int TOLERATION_SECONDS = 300;

    private final Registry registry;

    public PodPriority(Registry registry) {
        this.registry = registry;
    }

    @Override
    public void admit(AdmissionRequest request) {
        ObjectNode pod = request.object();
        if (pod == null || request.operation() != Operation.CREATE || !request.is("", "pods")) {
            return;
        }
        ObjectNode spec = Json.child(pod, "spec");
        prioritize(request, spec);
        ArrayNode tolerations = spec.withArray("tolerations");
        tolerate(tolerations, "node.kubernetes.io/not-ready");
        tolerate(tolerations, "node.kubernetes.io/unreachable");
    }

    private void prioritize(AdmissionRequest request, ObjectNode spec) {
        String name = spec.path("priorityClassName").asString("");
        Optional<ObjectNode> found = name.isEmpty()
                ? globalDefault()
                : Optional.of(registry.find(CLASSES, "", name)
                        .orElseThrow(() -> ApiException.forbidden(
                                request.resource().type().groupResource(),
                                request.name(),
                                "no PriorityClass with name " + name + " was found"))
                        .tree());
        long value = found.map(priority -> priority.path("value").asLong(0)).orElse(0L);
        JsonNode asked = spec.path("priority");
        if (asked.isNumber() && asked.longValue() != value) {
            throw ApiException.forbidden(
                    request.resource().type().groupResource(),
                    request.name(),
                    "the integer value of priority (" + asked.longValue()
                            + ") must not be provided in pod spec; priority admission controller computed " + value
                            + " from the given PriorityClass name");
        }
        spec.put("priority", value);
        if (name.isEmpty()) {
            found.ifPresent(priority -> spec.put("priorityClassName", Metadata.name(priority)));
        }
        if (!spec.has("preemptionPolicy")) {
            spec.put(
                    "preemptionPolicy",
                    found.map(priority -> priority.path("preemptionPolicy").asString("PreemptLowerPriority"))
                            .orElse("PreemptLowerPriority"));
        }
    }

    private Optional<ObjectNode> globalDefault() {
        return registry.list(CLASSES, "").stream()
                .map(CachedObject::tree)
                .filter(priority -> priority.path("globalDefault").asBoolean(false))
                .findFirst();
    }

    private static void tolerate(ArrayNode tolerations, String taint) {
        for (JsonNode toleration : tolerations) {
            String key = toleration.path("key").asString("");
            String effect = toleration.path("effect").asString("");
            if ((key.isEmpty() || key.equals(taint)) && (effect.isEmpty() || effect.equals("NoExecute"))) {
                return;
            }
        }
        tolerations
                .addObject()
                .put("key", taint)
                .put("operator", "Exists")
                .put("effect", "NoExecute")
                .put("tolerationSeconds", TOLERATION_SECONDS);
    }
}
