package io.atoll.syncer;

import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.PodPhase;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import io.atoll.syncer.translate.HostObjects;
import io.atoll.syncer.translate.Marks;
import io.atoll.syncer.translate.PodReferences;
import io.atoll.syncer.translate.PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods: created on the host as the tenant has them, bound in the tenant where the host's scheduler has put them, status
 * carried back, deleted on either side when the other has gone. Keys are the tenant's; see {@link Controller} for
 * threads.
 */
final class PodSync implements Reconciler<ObjectKey>, AutoCloseable {
    private static final long REMOVED_SECONDS = 1;
    private static final long EVICTED_SECONDS_MIN = 30;

    private final SyncContext context;
    private final References references;
    private final NodeSync nodes;
    private final ReferenceSync referenceSync;
    private final TokenSync tokens;
    private final PodDown down;
    private final Controller<ObjectKey> controller;
    private final ObjectCache.Subscription tenantPods;
    private final ObjectCache.Subscription hostPods;
    private final ObjectCache.Subscription namespaces;

    PodSync(SyncContext context, References references, NodeSync nodes, ReferenceSync referenceSync) {
        this.context = context;
        this.references = references;
        this.nodes = nodes;
        this.referenceSync = referenceSync;
        this.tokens = new TokenSync(context);
        this.down = new PodDown(context);
        this.controller =
                new Controller<>("sync-pods", context.timers(), SyncContext.BACKOFF, SyncContext.WORKERS_MAX, this);
        this.tenantPods = context.tenantCache().subscribe(BuiltInTypes.PODS, this::tenantChanged);
        this.hostPods = context.hostCache().subscribe(BuiltInTypes.PODS, this::hostChanged);
        this.namespaces = context.tenantCache().subscribe(BuiltInTypes.NAMESPACES, this::namespaceChanged);
    }

    private void tenantChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        if (after == null) {
            if (before != null) {
                ObjectKey key = ObjectKey.of(before);
                referenceSync.enqueue(references.remove(key));
                nodes.release(key);
                controller.enqueue(key);
            }
            return;
        }
        ObjectKey key = ObjectKey.of(after);
        ObjectNode pod = after.tree();
        if (before == null || !before.metadata().uid().equals(after.metadata().uid())) {
            context.scrubber().remember(key.namespace(), key.name());
            referenceSync.enqueue(references.put(key, PodReferences.of(pod)));
        }
        String node = nodeName(pod);
        boolean daemon = Metadata.controller(pod)
                .filter(owner -> owner.kind().equals("DaemonSet"))
                .isPresent();
        if (!node.isEmpty() && !daemon && PodDown.isBound(pod)) {
            nodes.use(node, key);
        }
        controller.enqueue(key);
    }

    private void hostChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        StoredObject object = after == null ? before : after;
        if (object == null
                || !object.namespace().equals(context.names().namespace())
                || !context.names()
                        .managedBy()
                        .equals(object.metadata().labels().get(Marks.MANAGED_BY))) {
            return;
        }
        ObjectNode pod = object.tree();
        if (context.objects().isOurs(pod)) {
            controller.enqueue(new ObjectKey(HostObjects.tenantNamespace(pod), HostObjects.tenantName(pod)));
        }
    }

    /** Pods carry the labels of their namespace. */
    private void namespaceChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        if (before != null
                && after != null
                && !before.metadata().labels().equals(after.metadata().labels())) {
            for (StoredObject pod : context.tenantCache().list(BuiltInTypes.PODS, after.name())) {
                controller.enqueue(ObjectKey.of(pod));
            }
        }
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> pod = context.inTenant(BuiltInTypes.PODS, key.namespace(), key.name());
        Optional<ObjectNode> hostPod =
                context.onHost(BuiltInTypes.PODS, context.names().of(key.namespace(), key.name()));
        if (pod.isEmpty()) {
            gone(key, hostPod);
            return Result.DONE;
        }
        try {
            return hostPod.isEmpty() ? onlyInTenant(pod.get()) : both(key, pod.get(), hostPod.get());
        } catch (ApiException e) {
            if (e.reason() != StatusReason.Conflict && e.reason() != StatusReason.AlreadyExists) {
                context.warn(pod.get(), "SyncError", "Error syncing to the host: " + e.getMessage());
            }
            throw e;
        }
    }

    private void gone(ObjectKey key, Optional<ObjectNode> hostPod) {
        if (hostPod.isEmpty()) {
            tokens.remove(key.namespace(), key.name());
        } else if (context.objects().isFor(hostPod.get(), key.namespace(), key.name())
                && !Metadata.deleting(hostPod.get())) {
            context.deleteOnHost(BuiltInTypes.PODS, hostPod.get(), REMOVED_SECONDS);
        }
    }

    private Result onlyInTenant(ObjectNode pod) {
        if (Metadata.deleting(pod)) {
            if (!isOnHost(pod)) {
                context.deleteInTenant(BuiltInTypes.PODS, pod, 0);
            }
            return Result.DONE;
        }
        if (PodPhase.terminal(pod)) {
            return Result.DONE;
        }
        if (PodDown.isBound(pod)) {
            // It ran, and the host has removed it.
            if (!isOnHost(pod)) {
                context.deleteInTenant(BuiltInTypes.PODS, pod, 0);
            }
            return Result.DONE;
        }
        if (!context.config().pods().enabled() || down.refuses(pod)) {
            return Result.DONE;
        }
        PodReferences found = PodReferences.of(pod);
        referenceSync.syncNow(Metadata.namespace(pod), found);
        Optional<Instant> renewal = tokens.ensure(pod);
        ObjectNode created = down.create(pod);
        tokens.adopt(created, pod);
        return comeBack(renewal);
    }

    private Result both(ObjectKey key, ObjectNode pod, ObjectNode hostPod) {
        if (!context.objects().isFor(hostPod, key.namespace(), key.name())) {
            context.warn(pod, "SyncError", "the host has a pod " + Metadata.name(hostPod) + " that is not this one");
            return Result.after(Duration.ofMinutes(1));
        }
        boolean ending = Metadata.deleting(hostPod);
        if (!HostObjects.tenantUid(hostPod).equals(Metadata.uid(pod))) {
            if (!ending) {
                context.deleteOnHost(BuiltInTypes.PODS, hostPod, REMOVED_SECONDS);
            }
            return Result.DONE;
        }
        if (Metadata.deleting(pod) && !ending) {
            long grace = pod.path("metadata").path("deletionGracePeriodSeconds").asLong(-1);
            context.deleteOnHost(BuiltInTypes.PODS, hostPod, grace);
        } else if (ending && !Metadata.deleting(pod)) {
            long grace =
                    hostPod.path("metadata").path("deletionGracePeriodSeconds").asLong(EVICTED_SECONDS_MIN);
            context.deleteInTenant(BuiltInTypes.PODS, pod, Math.max(grace, EVICTED_SECONDS_MIN));
        }
        ObjectNode current = bind(key, pod, hostPod);
        if (!nodeName(current).equals(nodeName(hostPod)) && !nodeName(current).isEmpty()) {
            context.deleteInTenant(BuiltInTypes.PODS, current, 0);
            return Result.DONE;
        }
        report(current, hostPod);
        if (ending || Metadata.deleting(pod)) {
            return Result.DONE;
        }
        down.update(pod, hostPod);
        if (PodPhase.terminal(hostPod)) {
            return Result.DONE;
        }
        Optional<Instant> renewal = tokens.ensure(pod);
        tokens.adopt(hostPod, pod);
        return comeBack(renewal);
    }

    /** Binds the pod in the tenant to the node that the host has chosen; returns the pod as it is then. */
    private ObjectNode bind(ObjectKey key, ObjectNode pod, ObjectNode hostPod) {
        String node = nodeName(hostPod);
        if (node.isEmpty() || !nodeName(pod).isEmpty() || Metadata.deleting(pod)) {
            return pod;
        }
        nodes.require(node, key);
        ObjectNode binding = Json.object();
        binding.put("kind", "Binding").put("apiVersion", "v1");
        binding.putObject("metadata")
                .put("name", key.name())
                .put("namespace", key.namespace())
                .put("uid", Metadata.uid(pod));
        binding.putObject("target").put("kind", "Node").put("name", node);
        context.tenant().createSubresource(BuiltInTypes.PODS, key.namespace(), key.name(), "binding", binding);
        return context.tenant().get(BuiltInTypes.PODS, key.namespace(), key.name());
    }

    private void report(ObjectNode pod, ObjectNode hostPod) {
        String namespace = Metadata.namespace(pod);
        ObjectNode status = PodStatus.toTenant(pod, hostPod, message -> context.scrub(message, namespace));
        if (!Json.same(status, pod.path("status"))) {
            pod.set("status", status);
            context.tenant().updateStatus(BuiltInTypes.PODS, pod);
        }
    }

    /** Asks the host itself: its cache may not have seen a pod that was just created. */
    private boolean isOnHost(ObjectNode pod) {
        String name = context.names().of(Metadata.namespace(pod), Metadata.name(pod));
        return context.host()
                .find(BuiltInTypes.PODS, context.names().namespace(), name)
                .filter(context.objects()::isOurs)
                .isPresent();
    }

    private Result comeBack(Optional<Instant> renewal) {
        return renewal.<Result>map(
                        due -> Result.after(Duration.between(context.timers().instant(), due)))
                .orElse(Result.DONE);
    }

    private static String nodeName(JsonNode pod) {
        return pod.path("spec").path("nodeName").asString("");
    }

    @Override
    public void close() {
        tenantPods.close();
        hostPods.close();
        namespaces.close();
        controller.close();
    }
}
