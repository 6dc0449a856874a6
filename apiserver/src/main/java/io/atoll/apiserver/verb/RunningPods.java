package io.atoll.apiserver.verb;

import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.PodStreams;
import tools.jackson.databind.node.ObjectNode;

/** What requests on running pods have in common. Stateless. */
final class RunningPods {
    private RunningPods() {}

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

    /** The pod of a call, which must have been assigned to a node. */
    static ObjectNode assigned(Call call) {
        CachedObject pod = Get.find(call);
        ObjectNode tree = pod.tree();
        if (tree.path("spec").path("nodeName").asString("").isEmpty()) {
            throw ApiException.badRequest("pod " + pod.name() + " does not have a host assigned");
        }
        return tree;
    }
}
