package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.Json;
import io.atoll.model.Quantity;
import io.atoll.model.ResourceType;
import io.atoll.reconcile.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Keeps {@code status.used} of ResourceQuotas as their namespaces are. */
final class ResourceQuotaController extends KeyedController {
    /** A change of these may change what is used. */
    private static final List<ResourceType> COUNTED = List.of(
            Kinds.SERVICES,
            Kinds.CONFIG_MAPS,
            Kinds.SECRETS,
            Kinds.PERSISTENT_VOLUME_CLAIMS,
            Kinds.REPLICATION_CONTROLLERS,
            Kinds.DEPLOYMENTS,
            Kinds.STATEFUL_SETS,
            Kinds.CRON_JOBS);

    private final QuotaUsage usage;

    ResourceQuotaController(ControllerContext context) {
        super(context, "resourcequota-controller");
        usage = new QuotaUsage(cache);
        context.indexes().pods.subscribe(this::onCounted);
        context.indexes().jobs.subscribe(this::onCounted);
        context.indexes().replicaSets.subscribe(this::onCounted);
    }

    @Override
    public void start() {
        watchOwn(Kinds.RESOURCE_QUOTAS);
        COUNTED.forEach(type -> watch(type, this::onCounted));
    }

    private void onCounted(@Nullable StoredObject before, @Nullable StoredObject after) {
        StoredObject object = after != null ? after : before;
        if (object != null) {
            cache.list(Kinds.RESOURCE_QUOTAS, object.namespace()).forEach(this::enqueue);
        }
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.RESOURCE_QUOTAS, key).map(StoredObject::tree);
        if (stored.isEmpty()) {
            return Result.DONE;
        }
        ObjectNode quota = stored.get();
        ObjectNode status = Json.object();
        status.set("hard", quota.path("spec").path("hard").deepCopy());
        ObjectNode used = status.putObject("used");
        for (Map.Entry<String, Quantity> entry :
                usage.of(quota, key.namespace()).entrySet()) {
            used.put(entry.getKey(), entry.getValue().canonical());
        }
        if (!same(quota.path("status"), status)) {
            quota.set("status", status);
            client.updateStatus(Kinds.RESOURCE_QUOTAS, quota);
        }
        return Result.DONE;
    }

    private static boolean same(JsonNode before, JsonNode after) {
        return Json.same(before.path("hard"), after.path("hard")) && Json.same(before.path("used"), after.path("used"));
    }
}
