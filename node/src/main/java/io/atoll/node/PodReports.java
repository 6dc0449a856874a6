package io.atoll.node;

import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import io.atoll.node.runtime.HostTypes;
import io.atoll.reconcile.EventRecorder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a node tells the host of its pods: status, events, and that a pod is gone. Any thread. */
final class PodReports {
    private final Client client;
    private final EventRecorder events;

    PodReports(Client client, EventRecorder events) {
        this.client = client;
        this.events = events;
    }

    /** False when the pod is not this one any more; then there is nothing to tell. */
    boolean writeStatus(ObjectNode pod, ObjectNode status) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", Metadata.uid(pod));
        patch.set("status", status);
        try {
            client.patch(
                    HostTypes.PODS,
                    Metadata.namespace(pod),
                    Metadata.name(pod),
                    "status",
                    Client.PatchType.STRATEGIC,
                    patch);
            return true;
        } catch (ApiException e) {
            if (e.reason() == StatusReason.NotFound || e.reason() == StatusReason.Conflict) {
                return false;
            }
            throw e;
        }
    }

    /** Removes the object of a pod whose containers have ended. */
    void deletePod(ObjectNode pod) {
        try {
            client.delete(
                    HostTypes.PODS,
                    Metadata.namespace(pod),
                    Metadata.name(pod),
                    new Client.DeleteOptions(0, "", Metadata.uid(pod)));
        } catch (ApiException e) {
            if (e.reason() != StatusReason.NotFound && e.reason() != StatusReason.Conflict) {
                throw e;
            }
        }
    }

    void warning(ObjectNode pod, String field, String reason, String message) {
        events.record(pod, field, "Warning", reason, message);
    }

    /** Says in place of {@code Pulled} what really happens; simulated containers are too many to tell of each. */
    void containerCreated(ObjectNode pod, String field, JsonNode container, boolean real) {
        if (real) {
            events.record(
                    pod,
                    field,
                    "Normal",
                    "ImageNotPulled",
                    "Image \"" + container.path("image").asString("")
                            + "\" is not pulled: the command runs as a process of this machine, with its files and"
                            + " programs, isolated from nothing");
            events.record(
                    pod,
                    field,
                    "Normal",
                    "Created",
                    "Created container " + container.path("name").asString(""));
        }
    }

    void containerStarted(ObjectNode pod, String field, String container, boolean real) {
        if (real) {
            events.record(pod, field, "Normal", "Started", "Started container " + container);
        }
    }

    void killing(ObjectNode pod, String field, String container, boolean real) {
        if (real) {
            events.record(pod, field, "Normal", "Killing", "Stopping container " + container);
        }
    }

    /** {@code NAME_NAMESPACE(UID)}, as the kubelet names pods in messages. */
    String fullName(ObjectNode pod) {
        return Metadata.name(pod) + "_" + Metadata.namespace(pod) + "(" + Metadata.uid(pod) + ")";
    }
}
