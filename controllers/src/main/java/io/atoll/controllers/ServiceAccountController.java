package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.reconcile.ObjectKey;
import tools.jackson.databind.node.ObjectNode;

/** Gives every namespace its ServiceAccount {@code default}. Keys name namespaces. */
final class ServiceAccountController extends KeyedController {
    private static final String DEFAULT = "default";

    ServiceAccountController(ControllerContext context) {
        super(context, "serviceaccount-controller");
    }

    @Override
    public void start() {
        watchOwn(Kinds.NAMESPACES);
        watch(Kinds.SERVICE_ACCOUNTS, (before, after) -> {
            if (after == null && before != null && before.name().equals(DEFAULT)) {
                enqueue(new ObjectKey("", before.namespace()));
            }
        });
    }

    @Override
    public Result reconcile(ObjectKey key) {
        boolean active = find(Kinds.NAMESPACES, key)
                .map(StoredObject::metadata)
                .map(metadata -> !metadata.deleting())
                .orElse(false);
        if (!active || cache.get(Kinds.SERVICE_ACCOUNTS, key.name(), DEFAULT).isPresent()) {
            return Result.DONE;
        }
        ObjectNode account = Json.object();
        account.put("apiVersion", "v1").put("kind", "ServiceAccount");
        account.putObject("metadata").put("name", DEFAULT).put("namespace", key.name());
        try {
            client.create(Kinds.SERVICE_ACCOUNTS, key.name(), account);
        } catch (ApiException e) {
            if (e.code() != 409 && e.code() != 404 && !PodControl.namespaceTerminating(e)) {
                throw e;
            }
        }
        return Result.DONE;
    }
}
