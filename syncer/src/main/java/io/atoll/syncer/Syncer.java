package io.atoll.syncer;

import io.atoll.base.TenantId;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
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

/**
 * Carries one tenant's pods to the host, with what they refer to, and what becomes of them back.
 *
 * <p>Everything works from the present state of both clusters, so a syncer may be closed and another started at any
 * time. What is on the host stays there. Any thread.
 */
public final class Syncer implements AutoCloseable {
    private static final List<ResourceType> HOST_TYPES = List.of(
            BuiltInTypes.PODS,
            BuiltInTypes.SERVICES,
            BuiltInTypes.CONFIG_MAPS,
            BuiltInTypes.SECRETS,
            BuiltInTypes.SERVICE_ACCOUNTS);

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

    /** Deletes the tenant's pods from the host: a paused tenant runs nothing. Its syncer is to be closed before. */
    public static void deletePods(TenantId id, Client host) {
        delete(id, host, BuiltInTypes.PODS);
    }

    /**
     * Deletes all of the tenant's objects from the host. Its syncer is to be closed before.
     *
     * @param claims whether its data goes too
     */
    public static void purge(TenantId id, Client host, boolean claims) {
        HOST_TYPES.forEach(type -> delete(id, host, type));
        if (claims) {
            delete(id, host, BuiltInTypes.PERSISTENT_VOLUME_CLAIMS);
        }
    }

    private static void delete(TenantId id, Client host, ResourceType type) {
        host.deleteAll(
                type,
                id.namespace(),
                Client.ListOptions.labels(Marks.MANAGED_BY + "=" + id.name()),
                Client.DeleteOptions.background());
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
