package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Endpoint;
import io.atoll.apiserver.registry.Registry;
import io.atoll.apiserver.registry.Update;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.StatusObject;
import io.atoll.model.StatusReason;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Assigns a pod to a node: the scheduler's one write, through the pod or through the {@code bindings} collection. */
final class Binding implements Verb {
    static final GroupResource BINDINGS = new GroupResource("", "bindings");

    private static final GroupResource PODS = new GroupResource("", "pods");

    @Override
    public ApiResponse run(Call call) {
        if (!call.path().verb().equals("create")) {
            throw new ApiException(
                    StatusReason.MethodNotAllowed, "the server does not allow this method on the requested resource");
        }
        ObjectNode binding = Bodies.read(call.http()).tree();
        String node = binding.path("target").path("name").asString("");
        if (node.isEmpty()) {
            throw ApiException.badRequest("target.name: Required value");
        }
        String name = call.path().name().isEmpty()
                ? Metadata.name(binding)
                : call.path().name();
        Endpoint pods = call.registry().endpoints().endpoint(PODS).orElseThrow();
        Update.update(call.write().on(pods, "binding"), name, pod -> assigned(call, pod, binding, node));
        return Responses.tree(call, 201, StatusObject.success(PODS, name, ""));
    }

    private static ObjectNode assigned(Call call, ObjectNode pod, ObjectNode binding, String node) {
        String name = Metadata.name(pod);
        String uid = Metadata.uid(binding);
        if (!uid.isEmpty() && !uid.equals(Metadata.uid(pod))) {
            throw conflict(
                    name,
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + Metadata.uid(pod));
        }
        if (Metadata.deleting(pod)) {
            throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
        }
        String assigned = pod.path("spec").path("nodeName").asString("");
        if (!assigned.isEmpty()) {
            throw conflict(name, "pod " + name + " is already assigned to node \"" + assigned + "\"");
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
        }
        Json.child(pod, "spec").put("nodeName", node);
        Metadata.annotations(binding).forEach((key, value) -> Metadata.setAnnotation(pod, key, value));
        Metadata.labels(binding).forEach((key, value) -> Metadata.setLabel(pod, key, value));
        markScheduled(call.registry(), pod);
        return pod;
    }

    private static void markScheduled(Registry registry, ObjectNode pod) {
        ArrayNode conditions = Json.child(pod, "status").withArray("conditions");
        ObjectNode scheduled = null;
        for (JsonNode condition : conditions) {
            if (condition.path("type").asString("").equals("PodScheduled")) {
                scheduled = (ObjectNode) condition;
            }
        }
        if (scheduled == null) {
            scheduled = conditions.addObject().put("type", "PodScheduled");
        }
        if (!scheduled.path("status").asString("").equals("True")) {
            scheduled.put("status", "True");
            scheduled.put("lastTransitionTime", registry.now());
        }
        scheduled.remove("reason");
        scheduled.remove("message");
    }

    private static ApiException conflict(String name, String why) {
        return ApiException.conflict(PODS, name, why);
    }
}
