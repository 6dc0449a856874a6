package io.atoll.controllers;

import io.atoll.base.Backoff;
import io.atoll.client.Discovery;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.reconcile.ObjectKey;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Empties namespaces that are being deleted, and lets them go once they are empty. */
final class NamespaceController extends KeyedController {
    private static final String FINALIZER = "kubernetes";

    private final NamespaceContents contents;

    NamespaceController(ControllerContext context, Discovery discovery) {
        super(context, "namespace-controller", new Backoff(Duration.ofMillis(20), Duration.ofSeconds(15)));
        contents = new NamespaceContents(client, discovery);
    }

    @Override
    public void start() {
        watch(Kinds.NAMESPACES, (before, after) -> {
            if (after != null && after.metadata().deleting()) {
                enqueue(after);
            }
        });
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.NAMESPACES, key).map(StoredObject::tree);
        if (stored.isEmpty() || !Metadata.deleting(stored.get())) {
            return Result.DONE;
        }
        ObjectNode namespace = stored.get();
        if (namespace.path("spec").path("finalizers").isEmpty()) {
            return Result.DONE;
        }
        NamespaceContents.Outcome outcome = contents.delete(key.name());
        namespace = writeStatus(namespace, outcome);
        if (!outcome.empty()) {
            return Result.RETRY;
        }
        finalizeNamespace(namespace);
        return Result.DONE;
    }

    private ObjectNode writeStatus(ObjectNode namespace, NamespaceContents.Outcome outcome) {
        ObjectNode status = Json.child(namespace, "status").deepCopy();
        status.put("phase", "Terminating");
        for (ObjectNode condition : outcome.conditions()) {
            String type = condition.path("type").asString("");
            String message = condition.path("message").asString("");
            boolean same = Conditions.find(status, type)
                    .map(old -> old.path("status").equals(condition.path("status"))
                            && old.path("message").asString("").equals(message))
                    .orElse(false);
            if (!same) {
                Conditions.set(status, condition, context.now());
            }
        }
        if (Json.same(status, namespace.path("status"))) {
            return namespace;
        }
        namespace.set("status", status);
        return client.updateStatus(Kinds.NAMESPACES, namespace);
    }

    private void finalizeNamespace(ObjectNode namespace) {
        ArrayNode kept = Json.array();
        for (JsonNode finalizer : namespace.path("spec").path("finalizers")) {
            if (!finalizer.asString("").equals(FINALIZER)) {
                kept.add(finalizer);
            }
        }
        Json.child(namespace, "spec").set("finalizers", kept);
        try {
            client.raw("PUT", "/api/v1/namespaces/" + Metadata.name(namespace) + "/finalize", Json.encode(namespace));
        } catch (ApiException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }
}
