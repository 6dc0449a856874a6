package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.reconcile.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/** Deletes pods that nobody will ever end: bound to a node that is gone, or deleted before they had one. */
final class PodGarbageController extends KeyedController {
    /** A node that is missing for this long does not come back. */
    private static final Duration QUARANTINE = Duration.ofSeconds(40);

    private final Map<String, Instant> missingSince = new ConcurrentHashMap<>();

    PodGarbageController(ControllerContext context) {
        super(context, "pod-garbage-collector");
        context.indexes().pods.subscribe((before, after) -> {
            if (after != null && before == null) {
                enqueue(after);
            } else if (after != null && after.metadata().deleting()) {
                enqueue(after);
            }
        });
    }

    @Override
    public void start() {
        watch(Kinds.NODES, (before, after) -> {
            if (after != null) {
                missingSince.remove(after.name());
            } else if (before != null) {
                missingSince.put(before.name(), context.timers().instant());
                for (StoredObject pod : cache.list(Kinds.PODS, "")) {
                    enqueueAfter(ObjectKey.of(pod), QUARANTINE);
                }
            }
        });
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.PODS, key).map(StoredObject::tree);
        if (stored.isEmpty()) {
            return Result.DONE;
        }
        ObjectNode pod = stored.get();
        if (!Pods.scheduled(pod)) {
            if (Metadata.deleting(pod)) {
                forceDelete(pod);
            }
            return Result.DONE;
        }
        String node = pod.path("spec").path("nodeName").asString("");
        if (cache.get(Kinds.NODES, "", node).isPresent()) {
            return Result.DONE;
        }
        Instant now = context.timers().instant();
        Instant since = missingSince.computeIfAbsent(node, _ -> now);
        Duration left = Duration.between(now, since.plus(QUARANTINE));
        if (left.isPositive()) {
            return Result.after(left);
        }
        if (client.find(Kinds.NODES, "", node).isEmpty()) {
            markLost(pod);
            forceDelete(pod);
        }
        return Result.DONE;
    }

    private void markLost(ObjectNode pod) {
        if (Pods.terminal(pod)) {
            return;
        }
        ObjectNode status = Json.child(pod, "status");
        status.put("phase", "Failed");
        Conditions.set(
                status,
                Conditions.of("DisruptionTarget", "True", "DeletionByPodGC", "PodGC: node no longer exists"),
                context.now());
        pod.setAll(client.updateStatus(Kinds.PODS, pod));
    }

    private void forceDelete(ObjectNode pod) {
        try {
            client.delete(
                    Kinds.PODS,
                    Metadata.namespace(pod),
                    Metadata.name(pod),
                    new Client.DeleteOptions(0, "", Metadata.uid(pod)));
        } catch (ApiException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
    }
}
