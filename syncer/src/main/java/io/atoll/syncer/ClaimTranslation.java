package io.atoll.syncer;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.ObjectKey;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Claims for volumes. The host binds them by class and size; a tenant cannot point at a volume of the host. They do not
 * go with the tenant's owner object, so that deleting a tenant by mistake does not delete its data.
 */
final class ClaimTranslation implements Translation {
    private static final List<String> STATUS_FIELDS = List.of("phase", "capacity", "accessModes");

    private final SyncContext context;

    ClaimTranslation(SyncContext context) {
        this.context = context;
    }

    @Override
    public ResourceType type() {
        return BuiltInTypes.PERSISTENT_VOLUME_CLAIMS;
    }

    @Override
    public String hostName(ObjectKey key) {
        return context.names().of(key.namespace(), key.name());
    }

    @Override
    public Optional<ObjectNode> toHost(ObjectNode tenantObject) {
        if (!context.config().syncPersistentVolumeClaims()) {
            return Optional.empty();
        }
        JsonNode given = tenantObject.path("spec");
        if (given.has("selector")) {
            context.warn(tenantObject, "SyncWarning", "spec.selector: a claim cannot select volumes of the host");
            return Optional.empty();
        }
        ObjectKey key = new ObjectKey(Metadata.namespace(tenantObject), Metadata.name(tenantObject));
        ObjectNode host = context.objects().head(tenantObject, hostName(key));
        Metadata.setOwnerReferences(host, List.of());
        ObjectNode spec = host.putObject("spec");
        for (String field : List.of("accessModes", "resources", "storageClassName", "volumeMode")) {
            if (given.has(field)) {
                spec.set(field, given.path(field).deepCopy());
            }
        }
        for (String source : List.of("dataSource", "dataSourceRef")) {
            JsonNode from = given.path(source);
            if (from.path("kind").asString("").equals("PersistentVolumeClaim") && !from.has("namespace")) {
                ObjectNode copy = (ObjectNode) from.deepCopy();
                copy.put(
                        "name",
                        context.names().of(key.namespace(), from.path("name").asString("")));
                spec.set(source, copy);
            } else if (from.isObject()) {
                context.warn(tenantObject, "SyncWarning", "spec." + source + ": only claims can be copied");
                return Optional.empty();
            }
        }
        return Optional.of(host);
    }

    /** Only the size can change. */
    @Override
    public boolean update(ObjectNode hostObject, ObjectNode wanted) {
        JsonNode requests = wanted.path("spec").path("resources").path("requests");
        if (requests.isObject()) {
            Json.child(Json.child(hostObject, "spec"), "resources").set("requests", requests.deepCopy());
        }
        return true;
    }

    @Override
    public void toTenant(ObjectNode tenantObject, ObjectNode hostObject) {
        ObjectNode status = Json.child(tenantObject, "status");
        ObjectNode next = status.deepCopy();
        for (String field : STATUS_FIELDS) {
            JsonNode value = hostObject.path("status").get(field);
            if (value != null) {
                next.set(field, value.deepCopy());
            }
        }
        if (!Json.same(status, next)) {
            tenantObject.set("status", next);
            context.tenant().updateStatus(type(), tenantObject);
        }
    }
}
