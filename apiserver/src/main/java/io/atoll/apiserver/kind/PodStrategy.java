package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Json;
import io.atoll.model.pod.PodPhase;
import io.atoll.model.pod.QosClass;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods: nearly immutable once made, deleted with grace once they are on a node. */
final class PodStrategy implements Strategy {
    private static final Traits TRAITS =
            Traits.of(Trait.GENERATION, Trait.STATUS_CHANGES_METADATA, Trait.RETURNS_DELETED);
    private static final String MAY_CHANGE =
            "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void applyDefaults(ObjectNode pod) {
        PodDefaults.apply(pod, true);
    }

    @Override
    public void prepareCreate(Write write, ObjectNode pod) {
        ObjectNode status = pod.putObject("status").put("phase", "Pending");
        status.put("qosClass", QosClass.of(pod.path("spec")));
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            ObjectNode condition = status.putArray("conditions").addObject();
            condition.put("type", "PodScheduled").put("status", "False").put("reason", "SchedulingGated");
            condition.put("message", "Scheduling is blocked due to non-empty scheduling gates");
            condition.put("lastTransitionTime", write.registry().now());
        }
    }

    @Override
    public void prepareStatusUpdate(Write write, ObjectNode pod, ObjectNode before) {
        ObjectNode status = Json.child(pod, "status");
        JsonNode qos = before.path("status").path("qosClass");
        if (!status.has("qosClass") && qos.isString()) {
            status.set("qosClass", qos);
        }
    }

    @Override
    public ObjectNode throughSubresource(Write write, ObjectNode sent, ObjectNode before) {
        return switch (write.subresource()) {
            case "ephemeralcontainers" -> {
                ObjectNode pod = before.deepCopy();
                Json.child(pod, "spec")
                        .set("ephemeralContainers", sent.path("spec").path("ephemeralContainers"));
                yield pod;
            }
            case "resize" -> {
                ObjectNode pod = before.deepCopy();
                copyResources(
                        sent.path("spec").path("containers"), pod.path("spec").path("containers"));
                copyResources(
                        sent.path("spec").path("initContainers"),
                        pod.path("spec").path("initContainers"));
                yield pod;
            }
            default -> sent;
        };
    }

    @Override
    public void validate(ObjectNode pod, Mistakes mistakes) {
        PodSpecRules.validate("spec", pod.path("spec"), mistakes);
    }

    @Override
    public void validateUpdate(Write write, ObjectNode pod, ObjectNode before, Mistakes mistakes) {
        if (!write.subresource().isEmpty()) {
            return;
        }
        JsonNode old = before.path("spec");
        ObjectNode comparable = (ObjectNode) pod.path("spec").deepCopy();
        boolean gated = !old.path("schedulingGates").isEmpty();
        for (String containers : List.of("containers", "initContainers")) {
            sameImages(comparable.path(containers), old.path(containers));
        }
        restore(comparable, old, "activeDeadlineSeconds", "schedulingGates");
        if (gated) {
            restore(comparable, old, "nodeSelector", "affinity");
        }
        if (old.path("terminationGracePeriodSeconds").asLong(0) < 0) {
            restore(comparable, old, "terminationGracePeriodSeconds");
        }
        if (keepsAll(comparable.path("tolerations"), old.path("tolerations"))) {
            restore(comparable, old, "tolerations");
        }
        if (!keepsAll(old.path("schedulingGates"), pod.path("spec").path("schedulingGates"))) {
            mistakes.forbidden("spec.schedulingGates", "only deletion is allowed, but found new scheduling gate");
        }
        if (!Json.same(comparable, old)) {
            mistakes.forbidden("spec", MAY_CHANGE);
        }
    }

    @Override
    public long gracePeriodSeconds(ObjectNode pod, long requested) {
        if (pod.path("spec").path("nodeName").asString("").isEmpty() || PodPhase.terminal(pod)) {
            return 0;
        }
        long grace = requested >= 0
                ? requested
                : pod.path("spec").path("terminationGracePeriodSeconds").asLong(30);
        return grace < 0 ? 1 : grace;
    }

    private static void restore(ObjectNode spec, JsonNode old, String... fields) {
        for (String field : fields) {
            JsonNode value = old.get(field);
            if (value == null) {
                spec.remove(field);
            } else {
                spec.set(field, value);
            }
        }
    }

    private static void sameImages(JsonNode containers, JsonNode old) {
        for (int i = 0; i < containers.size() && i < old.size(); i++) {
            if (containers.get(i) instanceof ObjectNode container) {
                container.set("image", old.path(i).path("image"));
            }
        }
    }

    /** Whether a list holds everything that another one does. */
    private static boolean keepsAll(JsonNode list, JsonNode wanted) {
        for (JsonNode one : wanted) {
            boolean found = false;
            for (JsonNode other : list) {
                found |= Json.same(one, other);
            }
            if (!found) {
                return false;
            }
        }
        return true;
    }

    private static void copyResources(JsonNode from, JsonNode to) {
        for (JsonNode container : to) {
            for (JsonNode sent : from) {
                if (sent.path("name").equals(container.path("name")) && container instanceof ObjectNode target) {
                    target.set("resources", sent.path("resources"));
                }
            }
        }
    }
}
