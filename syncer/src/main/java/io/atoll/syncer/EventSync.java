package io.atoll.syncer;

import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.StatusReason;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import io.atoll.syncer.translate.HostObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Events that the host records about a tenant's objects, told in the tenant about the tenant's own objects and in their
 * names. Keys are host events. See {@link Controller} for threads.
 */
final class EventSync implements Reconciler<ObjectKey>, AutoCloseable {
    private static final Map<String, ResourceType> KINDS = Map.of(
            "Pod", BuiltInTypes.PODS,
            "Service", BuiltInTypes.SERVICES,
            "Secret", BuiltInTypes.SECRETS,
            "ConfigMap", BuiltInTypes.CONFIG_MAPS,
            "PersistentVolumeClaim", BuiltInTypes.PERSISTENT_VOLUME_CLAIMS);
    private static final List<String> COPIED =
            List.of("reason", "type", "count", "firstTimestamp", "lastTimestamp", "eventTime", "series", "action");

    private final SyncContext context;
    private final Controller<ObjectKey> controller;
    private final ObjectCache.Subscription hostEvents;

    EventSync(SyncContext context) {
        this.context = context;
        this.controller = new Controller<>("sync-events", context.timers(), SyncContext.BACKOFF, 2, this);
        this.hostEvents = context.hostCache().subscribe(BuiltInTypes.EVENTS, this::hostChanged);
    }

    private void hostChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        if (after != null && after.namespace().equals(context.names().namespace())) {
            controller.enqueue(ObjectKey.of(after));
        }
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> event = context.onHost(BuiltInTypes.EVENTS, key.name());
        if (event.isPresent()) {
            about(event.get()).ifPresent(object -> write(event.get(), object));
        }
        return Result.DONE;
    }

    /** The tenant's object that a host event is about, if it is still the same one. */
    private Optional<ObjectNode> about(ObjectNode event) {
        JsonNode involved = event.path("involvedObject");
        ResourceType type = KINDS.get(involved.path("kind").asString(""));
        if (type == null || !involved.path("apiVersion").asString("v1").equals("v1")) {
            return Optional.empty();
        }
        String uid = involved.path("uid").asString("");
        return context.onHost(type, involved.path("name").asString(""))
                .filter(context.objects()::isOurs)
                .filter(host -> uid.isEmpty() || uid.equals(Metadata.uid(host)))
                .flatMap(host -> context.inTenant(type, HostObjects.tenantNamespace(host), HostObjects.tenantName(host))
                        .filter(object -> Metadata.uid(object).equals(HostObjects.tenantUid(host))));
    }

    private void write(ObjectNode event, ObjectNode object) {
        ObjectNode wanted = toTenant(event, object);
        String namespace = Metadata.namespace(object);
        Optional<ObjectNode> present = context.inTenant(BuiltInTypes.EVENTS, namespace, Metadata.name(wanted));
        try {
            if (present.isEmpty()) {
                context.tenant().create(BuiltInTypes.EVENTS, namespace, wanted);
                return;
            }
            ObjectNode next = present.get();
            wanted.properties().forEach(field -> {
                if (!field.getKey().equals("metadata")) {
                    next.set(field.getKey(), field.getValue());
                }
            });
            context.tenant().update(BuiltInTypes.EVENTS, next);
        } catch (ApiException e) {
            // The namespace goes, or the API server will not have this event: nobody is helped by trying again.
            if (e.reason() == StatusReason.Conflict) {
                throw e;
            }
        }
    }

    private ObjectNode toTenant(ObjectNode event, ObjectNode object) {
        String namespace = Metadata.namespace(object);
        JsonNode involved = event.path("involvedObject");
        ObjectNode result = Json.object();
        result.put("kind", "Event").put("apiVersion", "v1");
        Metadata.setName(result, name(event, object));
        Metadata.setNamespace(result, namespace);
        ObjectNode about = result.putObject("involvedObject");
        about.put("kind", involved.path("kind").asString(""))
                .put("namespace", namespace)
                .put("name", Metadata.name(object))
                .put("uid", Metadata.uid(object))
                .put("apiVersion", "v1");
        if (involved.has("fieldPath")) {
            about.put("fieldPath", involved.path("fieldPath").asString(""));
        }
        for (String field : COPIED) {
            if (event.has(field)) {
                result.set(field, event.path(field).deepCopy());
            }
        }
        result.put("message", context.scrub(event.path("message").asString(""), namespace));
        String component = event.path("source").path("component").asString("");
        ObjectNode source = result.putObject("source");
        if (!component.isEmpty()) {
            source.put("component", component);
        }
        String reporter = event.path("reportingComponent").asString(component);
        result.put("reportingComponent", reporter).put("reportingInstance", reporter);
        return result;
    }

    /** The host event's name with the tenant object's in place of the host object's. */
    private static String name(ObjectNode event, ObjectNode object) {
        String host = Metadata.name(event);
        int dot = host.lastIndexOf('.');
        String suffix = dot < 0 ? host : host.substring(dot + 1);
        return Metadata.name(object) + "." + suffix;
    }

    @Override
    public void close() {
        hostEvents.close();
        controller.close();
    }
}
