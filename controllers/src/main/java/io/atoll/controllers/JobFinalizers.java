package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes the tracking finalizer off pods, and remembers those where the cache does not show it yet: their end is
 * counted and must not be counted again. Any thread.
 */
final class JobFinalizers {
    private final Client client;
    private final Set<String> released = ConcurrentHashMap.newKeySet();

    JobFinalizers(Client client) {
        this.client = client;
    }

    boolean released(String uid) {
        return released.contains(uid);
    }

    void observe(StoredObject pod, boolean gone) {
        if (gone || !pod.metadata().finalizers().contains(JobPods.TRACKING_FINALIZER)) {
            released.remove(pod.metadata().uid());
        }
    }

    void release(List<ObjectNode> pods) {
        SlowStart.Outcome outcome = SlowStart.run(pods.size(), index -> release(pods.get(index)));
        if (outcome.failure() != null) {
            throw outcome.failure();
        }
    }

    void release(JsonNode pod) {
        String uid = Metadata.uid(pod);
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", uid);
        metadata.putArray("$deleteFromPrimitiveList/finalizers").add(JobPods.TRACKING_FINALIZER);
        released.add(uid);
        try {
            client.patch(
                    Kinds.PODS, Metadata.namespace(pod), Metadata.name(pod), "", Client.PatchType.STRATEGIC, patch);
        } catch (ApiException e) {
            released.remove(uid);
            // Gone, or another pod of that name by now: either way this one holds nothing any more.
            if (e.code() != 404 && e.code() != 409 && e.code() != 422) {
                throw e;
            }
        }
    }
}
