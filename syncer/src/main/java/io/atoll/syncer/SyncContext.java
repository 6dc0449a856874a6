package io.atoll.syncer;

import io.atoll.base.Backoff;
import io.atoll.base.TenantId;
import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.StatusReason;
import io.atoll.reconcile.EventRecorder;
import io.atoll.syncer.config.TenantConfig;
import io.atoll.syncer.translate.HostNames;
import io.atoll.syncer.translate.HostObjects;
import io.atoll.syncer.translate.Scrubber;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Both clusters and the rules between them: what every part of one tenant's syncer works with. Immutable; any thread. */
record SyncContext(
        TenantId id,
        Client tenant,
        ObjectCache tenantCache,
        Client host,
        ObjectCache hostCache,
        TenantConfig config,
        SyncerOptions options,
        HostObjects objects,
        Scrubber scrubber,
        EventRecorder events) {

    static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(60));
    static final int WORKERS_MAX = 10;

    HostNames names() {
        return objects.names();
    }

    Timers timers() {
        return options.timers();
    }

    Optional<ObjectNode> inTenant(ResourceType type, String namespace, String name) {
        return tenantCache.get(type, namespace, name).map(StoredObject::tree);
    }

    Optional<ObjectNode> onHost(ResourceType type, String name) {
        return hostCache.get(type, names().namespace(), name).map(StoredObject::tree);
    }

    /** Deletes a host object, but no other that has taken its name. Gone already is fine. */
    void deleteOnHost(ResourceType type, ObjectNode object, long gracePeriodSeconds) {
        delete(host, type, object, gracePeriodSeconds);
    }

    void deleteInTenant(ResourceType type, ObjectNode object, long gracePeriodSeconds) {
        delete(tenant, type, object, gracePeriodSeconds);
    }

    /** Tells the tenant, in its own words, that something could not be done. */
    void warn(ObjectNode tenantObject, String reason, String message) {
        events.warning(tenantObject, reason, scrub(message, Metadata.namespace(tenantObject)));
    }

    String scrub(String message, String tenantNamespace) {
        return scrubber.scrub(message, tenantNamespace);
    }

    private static void delete(Client client, ResourceType type, ObjectNode object, long gracePeriodSeconds) {
        try {
            client.delete(
                    type,
                    Metadata.namespace(object),
                    Metadata.name(object),
                    new Client.DeleteOptions(gracePeriodSeconds, "Background", Metadata.uid(object)));
        } catch (ApiException e) {
            // A conflict is another object under the same name: this one is gone.
            if (e.reason() != StatusReason.NotFound && e.reason() != StatusReason.Conflict) {
                throw e;
            }
        }
    }
}
