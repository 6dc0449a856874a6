package io.atoll.syncer;

import io.atoll.base.TenantId;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.EventRecorder;
import io.atoll.syncer.config.TenantConfig;
import io.atoll.syncer.translate.HostNames;
import io.atoll.syncer.translate.HostObjects;
import io.atoll.syncer.translate.Marks;
import io.atoll.syncer.translate.Scrubber;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Carries one tenant's pods to the host, with what they refer to, and what becomes of them back.
 *
 * <p>Everything works from the present state of both clusters, so a syncer may be closed and another started at any
 * time. What is on the host stays there. Any thread.
 */
public final class Syncer implements AutoCloseable {
    /** For the pods of a tenant that goes: the tenant must not say how long it stays. */
    private static final long GRACE_SECONDS_MAX = 30;

    /** Kinds that it makes on the host, pods first: the rest is in use until they have gone. */
    private static final List<ResourceType> HOST_TYPES = List.of(
            BuiltInTypes.PODS,
            BuiltInTypes.SERVICES,
            BuiltInTypes.CONFIG_MAPS,
            BuiltInTypes.SECRETS,
            BuiltInTypes.SERVICE_ACCOUNTS,
            BuiltInTypes.PERSISTENT_VOLUME_CLAIMS);

    private final List<AutoCloseable> parts = new ArrayList<>();

    private Syncer(SyncContext context) {
        References references = new References();
        ReferenceSync referenceSync = new ReferenceSync(context, references);
        parts.add(referenceSync);
        NodeSync nodes = new NodeSync(context);
        parts.add(nodes);
        parts.add(new PodSync(context, references, nodes, referenceSync));
        if (context.config().syncEvents()) {
            parts.add(new EventSync(context));
        }
    }

    /**
     * Starts; returns when the present objects have been seen, not when all of them are on the host.
     *
     * @param id the tenant's name, and the host namespace that holds its objects
     * @param tenant reads and writes of the tenant cluster, as its administrator
     * @param host reads and writes of the host cluster, in the tenant's host namespace, and reads of nodes
     */
    public static Syncer start(
            TenantId id,
            Client tenant,
            ObjectCache tenantCache,
            Client host,
            ObjectCache hostCache,
            TenantConfig config,
            SyncerOptions options) {
        HostNames names = new HostNames(id);
        return new Syncer(new SyncContext(
                id,
                tenant,
                tenantCache,
                host,
                hostCache,
                config,
                options,
                new HostObjects(names, config.setOwner() ? options.owner() : java.util.Optional.empty()),
                new Scrubber(names),
                new EventRecorder(tenant, "syncer", options.timers())));
    }

    /**
     * Deletes what syncers made for a tenant on the host, claims and thus data too; tells how much is still there. To be
     * called until nothing is. The tenant's syncer is to be closed before.
     */
    public static int purge(TenantId id, Client host) {
        Client.ListOptions ours = Client.ListOptions.labels(Marks.MANAGED_BY + "=" + id.name());
        int left = 0;
        for (ResourceType type : HOST_TYPES) {
            for (JsonNode object : host.list(type, id.namespace(), ours).path("items")) {
                left++;
                long asked = object.path("metadata")
                        .path("deletionGracePeriodSeconds")
                        .asLong(0);
                if (!Metadata.deleting(object) || asked > GRACE_SECONDS_MAX) {
                    delete(id, host, type, object);
                }
            }
        }
        return left;
    }

    private static void delete(TenantId id, Client host, ResourceType type, JsonNode object) {
        long wanted = object.path("spec").path("terminationGracePeriodSeconds").asLong(GRACE_SECONDS_MAX);
        long grace = type.equals(BuiltInTypes.PODS) ? Math.min(wanted, GRACE_SECONDS_MAX) : -1;
        try {
            host.delete(type, id.namespace(), Metadata.name(object), new Client.DeleteOptions(grace, "Background", ""));
        } catch (ApiException gone) {
            if (gone.code() != 404) {
                throw gone;
            }
        }
    }

    /** Stops. A change under way is finished. */
    @Override
    public void close() {
        for (AutoCloseable part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException("a syncer's parts close without failing", e);
            }
        }
    }
}
