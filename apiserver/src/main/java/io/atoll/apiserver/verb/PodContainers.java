package io.atoll.apiserver.verb;

import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.PodStreams;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds the container that a request on a running pod means. Stateless. */
final class PodContainers {
    private PodContainers() {}

    /** A stream opened by GET, as WebSockets are, does as much as one opened by POST: reading rights are not enough. */
    static void requireCreate(Call call) {
        if (!call.path().verb().equals("create")) {
            Access.require(call, "create");
        }
    }

    static PodStreams streams(Call call) {
        return call.parts()
                .podStreams()
                .orElseThrow(() ->
                        new ApiException(StatusReason.ServiceUnavailable, "nothing runs the pods of this cluster"));
    }

    static String container(Call call, ObjectNode pod) {
        String asked = call.parameter("container");
        List<String> names = new ArrayList<>();
        names(pod, "containers", names);
        if (asked.isEmpty()) {
            String marked = io.atoll.model.Metadata.annotation(pod, "kubectl.kubernetes.io/default-container");
            if (names.contains(marked)) {
                return marked;
            }
            if (names.size() == 1) {
                return names.getFirst();
            }
            List<String> init = new ArrayList<>();
            names(pod, "initContainers", init);
            String others = init.isEmpty() ? "" : " or one of the init containers: [" + String.join(" ", init) + "]";
            throw ApiException.badRequest("a container name must be specified for pod "
                    + io.atoll.model.Metadata.name(pod) + ", choose one of: [" + String.join(" ", names) + "]"
                    + others);
        }
        names(pod, "initContainers", names);
        names(pod, "ephemeralContainers", names);
        if (!names.contains(asked)) {
            throw ApiException.badRequest(
                    "container " + asked + " is not valid for pod " + io.atoll.model.Metadata.name(pod));
        }
        return asked;
    }

    /** The pod of a call, which must have been assigned to a node. */
    static ObjectNode assigned(Call call) {
        CachedObject pod = Get.find(call);
        ObjectNode tree = pod.tree();
        if (tree.path("spec").path("nodeName").asString("").isEmpty()) {
            throw ApiException.badRequest("pod " + pod.name() + " does not have a host assigned");
        }
        return tree;
    }

    private static void names(ObjectNode pod, String field, List<String> into) {
        for (JsonNode container : pod.path("spec").path(field)) {
            into.add(container.path("name").asString(""));
        }
    }
}
