package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.reconcile.EventRecorder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates and deletes pods for their owner, and tells of it in the owner's events. Any thread. */
final class PodControl {
    private final Client client;
    private final EventRecorder events;

    PodControl(Client client, EventRecorder events) {
        this.client = client;
        this.events = events;
    }

    /** The reference that makes an owner the controller of an object. */
    static OwnerReference controllerReference(ObjectNode owner) {
        return new OwnerReference(
                owner.path("apiVersion").asString(""),
                owner.path("kind").asString(""),
                Metadata.name(owner),
                Metadata.uid(owner),
                true,
                true);
    }

    /** A pod as a template describes it, named after its owner. */
    static ObjectNode fromTemplate(JsonNode template, ObjectNode owner) {
        ObjectNode pod = Json.object();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata");
        metadata.put("generateName", Metadata.name(owner) + "-").put("namespace", Metadata.namespace(owner));
        for (String field : new String[] {"labels", "annotations", "finalizers"}) {
            JsonNode value = template.path("metadata").path(field);
            if (!value.isEmpty()) {
                metadata.set(field, value.deepCopy());
            }
        }
        Metadata.setOwnerReferences(pod, java.util.List.of(controllerReference(owner)));
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }

    ObjectNode create(ObjectNode owner, ObjectNode pod) {
        try {
            ObjectNode created = client.create(Kinds.PODS, Metadata.namespace(owner), pod);
            events.normal(owner, "SuccessfulCreate", "Created pod: " + Metadata.name(created));
            return created;
        } catch (ApiException e) {
            if (!namespaceTerminating(e)) {
                events.warning(owner, "FailedCreate", "Error creating: " + e.getMessage());
            }
            throw e;
        }
    }

    /** Deletes a pod; one that is gone already counts as deleted. */
    void delete(ObjectNode owner, ObjectNode pod) {
        String name = Metadata.name(pod);
        try {
            client.delete(
                    Kinds.PODS, Metadata.namespace(pod), name, new Client.DeleteOptions(-1, "", Metadata.uid(pod)));
            events.normal(owner, "SuccessfulDelete", "Deleted pod: " + name);
        } catch (ApiException e) {
            if (e.code() == 404) {
                return;
            }
            events.warning(owner, "FailedDelete", "Error deleting: " + e.getMessage());
            throw e;
        }
    }

    /** Creation is refused because the namespace is going: there is no point in trying again. */
    static boolean namespaceTerminating(ApiException failure) {
        ApiException.Details details = failure.details();
        return failure.code() == 403
                && details != null
                && details.causes().stream().anyMatch(cause -> cause.reason().equals("NamespaceTerminating"));
    }
}
