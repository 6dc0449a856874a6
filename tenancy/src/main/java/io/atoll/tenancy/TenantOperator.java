package io.atoll.tenancy;

import io.atoll.base.TenantId;
import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.StatusReason;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import io.atoll.syncer.Syncer;
import io.atoll.syncer.config.ConfigException;
import io.atoll.syncer.translate.Marks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes each TenantCluster on the host true: serves it from the cell, publishes its credentials in a Secret, reports in
 * its status, and removes everything of it when it goes. Any thread.
 */
public final class TenantOperator implements Reconciler<ObjectKey>, AutoCloseable {
    /** Tenants that are started at once; each start is a few fsyncs and key generations. */
    private static final int WORKERS_MAX = 8;

    private static final Duration TEAR_DOWN_PAUSE = Duration.ofMillis(200);

    private static final Logger LOG = LoggerFactory.getLogger(TenantOperator.class);

    private final Client host;
    private final ObjectCache hostCache;
    private final Cell cell;
    private final InstantSource clock;
    private final Controller<ObjectKey> controller;
    private final ObjectCache.Subscription subscription;
    private final Set<ObjectKey> unseen = ConcurrentHashMap.newKeySet();
    private final CountDownLatch firstRound = new CountDownLatch(1);

    public TenantOperator(Client host, ObjectCache hostCache, Cell cell, Timers timers) {
        this.host = host;
        this.hostCache = hostCache;
        this.cell = cell;
        this.clock = timers;
        hostCache.list(TenantClusterDefinition.TYPE, "").forEach(tenant -> unseen.add(ObjectKey.of(tenant)));
        if (unseen.isEmpty()) {
            firstRound.countDown();
        }
        this.controller = new Controller<>("tenant-operator", timers, WORKERS_MAX, this);
        this.subscription = hostCache.subscribe(TenantClusterDefinition.TYPE, (before, after) -> {
            StoredObject changed = after != null ? after : before;
            if (changed != null) {
                controller.enqueue(ObjectKey.of(changed));
            }
        });
    }

    /** Blocks until every TenantCluster that was there at the start has been dealt with once, well or badly. */
    public void awaitFirstRound() throws InterruptedException {
        firstRound.await();
    }

    @Override
    public void close() {
        subscription.close();
        controller.close();
    }

    @Override
    public Result reconcile(ObjectKey key) {
        try {
            return bring(key);
        } finally {
            unseen.remove(key);
            if (unseen.isEmpty()) {
                firstRound.countDown();
            }
        }
    }

    private Result bring(ObjectKey key) {
        TenantId id = new TenantId(key.namespace(), key.name());
        Optional<StoredObject> found = hostCache.get(TenantClusterDefinition.TYPE, key.namespace(), key.name());
        if (found.isEmpty()) {
            cell.close(id);
            return Result.DONE;
        }
        ObjectNode tenant = found.get().tree();
        if (Metadata.deleting(tenant)) {
            return tearDown(id, tenant);
        }
        if (!Metadata.finalizers(tenant).contains(TenantClusterDefinition.FINALIZER)) {
            // The update comes back as an event; go on with it then only if it failed.
            tenant = addFinalizer(tenant);
        }
        try {
            RunningTenant running =
                    cell.open(id, owner(tenant), tenant.path("spec").path("config"));
            publishCredentials(id, tenant, running);
            report(
                    tenant,
                    running.endpoint(),
                    "Running",
                    "True",
                    "Running",
                    "the tenant answers at " + running.endpoint());
            return Result.DONE;
        } catch (ConfigException invalid) {
            cell.close(id);
            report(tenant, "", "Failed", "False", "InvalidConfiguration", String.join("; ", invalid.mistakes()));
            return Result.DONE;
        } catch (RuntimeException failure) {
            LOG.warn("tenant {} cannot be started", id, failure);
            report(tenant, "", "Failed", "False", "StartFailed", String.valueOf(failure.getMessage()));
            throw failure;
        }
    }

    private static OwnerReference owner(ObjectNode tenant) {
        return new OwnerReference(
                TenantClusterDefinition.TYPE.apiVersion(),
                TenantClusterDefinition.TYPE.kind(),
                Metadata.name(tenant),
                Metadata.uid(tenant),
                false,
                false);
    }

    private ObjectNode addFinalizer(ObjectNode tenant) {
        ObjectNode changed = tenant.deepCopy();
        List<String> finalizers = new ArrayList<>(Metadata.finalizers(tenant));
        finalizers.add(TenantClusterDefinition.FINALIZER);
        Metadata.setFinalizers(changed, finalizers);
        return host.update(TenantClusterDefinition.TYPE, changed);
    }

    private Result tearDown(TenantId id, ObjectNode tenant) {
        cell.close(id);
        if (!Metadata.finalizers(tenant).contains(TenantClusterDefinition.FINALIZER)) {
            return Result.DONE;
        }
        int left = deleteHostObjects(id);
        if (left > 0) {
            report(
                    tenant,
                    "",
                    "Terminating",
                    "False",
                    "Terminating",
                    left + " objects of the tenant are left on the host");
            return Result.after(TEAR_DOWN_PAUSE);
        }
        cell.forget(Metadata.uid(tenant));
        ObjectNode changed = host.get(TenantClusterDefinition.TYPE, id.namespace(), id.name());
        List<String> others = new ArrayList<>(Metadata.finalizers(changed));
        others.remove(TenantClusterDefinition.FINALIZER);
        Metadata.setFinalizers(changed, others);
        host.update(TenantClusterDefinition.TYPE, changed);
        return Result.DONE;
    }

    /** Deletes what the syncer made for the tenant and its credentials; returns how many are still there. */
    private int deleteHostObjects(TenantId id) {
        int left = Syncer.purge(id, host);
        if (left == 0) {
            try {
                host.delete(
                        HostObjects.SECRETS,
                        id.namespace(),
                        HostObjects.credentialsName(id.name()),
                        Client.DeleteOptions.background());
            } catch (ApiException gone) {
                if (gone.code() != 404) {
                    throw gone;
                }
            }
        }
        return left;
    }

    private void publishCredentials(TenantId id, ObjectNode tenant, RunningTenant running) {
        String name = HostObjects.credentialsName(id.name());
        Optional<ObjectNode> present = host.find(HostObjects.SECRETS, id.namespace(), name);
        if (present.isPresent()
                && Metadata.annotation(present.get(), HostObjects.ENDPOINT).equals(running.endpoint())) {
            return;
        }
        if (present.isPresent()
                && !Metadata.label(present.get(), Marks.MANAGED_BY).isEmpty()) {
            // Another tenant in this namespace has a Secret of that name there, and pods that read it.
            throw new ApiException(
                    StatusReason.Conflict,
                    "the Secret " + name + " in namespace " + id.namespace()
                            + ", which is to hold the credentials, belongs to another tenant; choose another name");
        }
        ObjectNode secret = running.credentials(name, tenant);
        if (present.isEmpty()) {
            host.create(HostObjects.SECRETS, id.namespace(), secret);
        } else {
            Metadata.setResourceVersion(secret, Metadata.resourceVersion(present.get()));
            host.update(HostObjects.SECRETS, secret);
        }
    }

    private void report(ObjectNode tenant, String endpoint, String phase, String ready, String reason, String message) {
        ObjectNode status = Json.object();
        status.put("phase", phase).put("endpoint", endpoint).put("version", HostObjects.KUBERNETES_VERSION);
        JsonNode before = readyCondition(tenant);
        ObjectNode condition = status.putArray("conditions").addObject();
        condition
                .put("type", "Ready")
                .put("status", ready)
                .put("observedGeneration", Metadata.generation(tenant))
                .put("reason", reason)
                .put("message", message)
                .put(
                        "lastTransitionTime",
                        before.path("status").asString("").equals(ready)
                                ? before.path("lastTransitionTime").asString("")
                                : clock.instant()
                                        .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                                        .toString());
        if (Json.same(status, tenant.path("status"))) {
            return;
        }
        ObjectNode patch = Json.object();
        patch.set("status", status);
        host.patch(
                TenantClusterDefinition.TYPE,
                Metadata.namespace(tenant),
                Metadata.name(tenant),
                "status",
                Client.PatchType.MERGE,
                patch);
    }

    private static JsonNode readyCondition(ObjectNode tenant) {
        for (JsonNode condition : tenant.path("status").path("conditions")) {
            if (condition.path("type").asString("").equals("Ready")) {
                return condition;
            }
        }
        return Json.object();
    }
}
