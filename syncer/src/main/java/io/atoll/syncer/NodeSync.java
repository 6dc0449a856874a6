package io.atoll.syncer;

import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import io.atoll.syncer.translate.Marks;
import io.atoll.syncer.translate.PseudoNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The nodes that a tenant sees: those that run its pods, or all that it may use when real nodes are on. Their condition
 * and what they offer follow the host's; they go when the last pod has gone. Any thread; the users of nodes are guarded
 * by the instance's lock.
 */
final class NodeSync implements Reconciler<String>, AutoCloseable {
    /** Pods of one job come and go; the node, and daemons on it, need not. */
    private static final Duration UNUSED_KEPT = Duration.ofSeconds(10);

    private final SyncContext context;
    private final LabelSelector visible;
    private final Controller<String> controller;
    private final Map<String, Set<ObjectKey>> users = new HashMap<>();
    private final Map<ObjectKey, String> nodes = new HashMap<>();
    private final ObjectCache.Subscription hostNodes;
    private final ObjectCache.Subscription tenantNodes;

    NodeSync(SyncContext context) {
        this.context = context;
        var selection = context.config().nodes();
        this.visible = selection.all() ? LabelSelector.EVERYTHING : LabelSelector.of(selection.labels());
        this.controller =
                new Controller<>("sync-nodes", context.timers(), SyncContext.BACKOFF, SyncContext.WORKERS_MAX, this);
        this.hostNodes = context.hostCache().subscribe(BuiltInTypes.NODES, this::hostChanged);
        this.tenantNodes = context.tenantCache().subscribe(BuiltInTypes.NODES, this::tenantChanged);
    }

    /** Makes sure that the tenant has a node, before a pod of its is bound to it. */
    void require(String node, ObjectKey pod) {
        use(node, pod);
        reconcile(node);
    }

    /** A pod runs on a node. */
    void use(String node, ObjectKey pod) {
        String left;
        synchronized (this) {
            left = nodes.put(pod, node);
            users.computeIfAbsent(node, _ -> new HashSet<>()).add(pod);
        }
        if (left == null) {
            controller.enqueue(node);
        } else if (!left.equals(node)) {
            leave(left, pod);
        }
    }

    /** A pod has gone. */
    void release(ObjectKey pod) {
        String node;
        synchronized (this) {
            node = nodes.remove(pod);
        }
        if (node != null) {
            leave(node, pod);
        }
    }

    private void leave(String node, ObjectKey pod) {
        boolean unused;
        synchronized (this) {
            Set<ObjectKey> pods = users.get(node);
            unused = pods != null && pods.remove(pod) && pods.isEmpty();
            if (unused) {
                users.remove(node);
            }
        }
        if (unused) {
            controller.enqueueAfter(node, UNUSED_KEPT);
        }
    }

    private synchronized boolean isUsed(String node) {
        return users.containsKey(node);
    }

    private void hostChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        StoredObject object = after == null ? before : after;
        if (object != null && (context.config().nodes().real() || isUsed(object.name()))) {
            controller.enqueue(object.name());
        }
    }

    private void tenantChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        StoredObject object = after == null ? before : after;
        // At the start: nodes left over from before. Later: a tenant that changes or deletes one.
        if (object != null && (after == null || before == null)) {
            controller.enqueueAfter(object.name(), isUsed(object.name()) ? Duration.ZERO : UNUSED_KEPT);
        }
    }

    @Override
    public Result reconcile(String name) {
        Optional<ObjectNode> host =
                context.hostCache().get(BuiltInTypes.NODES, "", name).map(StoredObject::tree);
        Optional<ObjectNode> present = context.inTenant(BuiltInTypes.NODES, "", name);
        boolean shown = isUsed(name)
                || (context.config().nodes().real()
                        && host.isPresent()
                        && visible.matches(Metadata.labels(host.get())));
        if (host.isEmpty() || !shown) {
            present.filter(node -> Metadata.label(node, Marks.FAKE_NODE).equals("true"))
                    .ifPresent(node -> context.deleteInTenant(BuiltInTypes.NODES, node, -1));
            return Result.DONE;
        }
        ObjectNode wanted =
                PseudoNode.of(context.id(), host.get(), context.config().nodes().real());
        ObjectNode node = present.isPresent() ? update(present.get(), wanted) : create(wanted);
        if (PseudoNode.differ(node.path("status"), wanted.path("status"))) {
            node.set("status", wanted.path("status"));
            context.tenant().updateStatus(BuiltInTypes.NODES, node);
        }
        return Result.DONE;
    }

    private ObjectNode create(ObjectNode wanted) {
        try {
            return context.tenant().create(BuiltInTypes.NODES, "", wanted.deepCopy());
        } catch (ApiException e) {
            if (e.reason() != StatusReason.AlreadyExists) {
                throw e;
            }
            return context.tenant().get(BuiltInTypes.NODES, "", Metadata.name(wanted));
        }
    }

    /** Labels and cordons are the host's; other things that the tenant has put there stay. */
    private ObjectNode update(ObjectNode present, ObjectNode wanted) {
        ObjectNode next = present.deepCopy();
        Metadata.labels(wanted).forEach((key, value) -> Metadata.setLabel(next, key, value));
        boolean cordoned = wanted.path("spec").path("unschedulable").asBoolean(false);
        if (cordoned) {
            Json.child(next, "spec").put("unschedulable", true);
        } else {
            Json.child(next, "spec").remove("unschedulable");
        }
        return Json.same(present, next) ? present : context.tenant().update(BuiltInTypes.NODES, next);
    }

    @Override
    public void close() {
        hostNodes.close();
        tenantNodes.close();
        controller.close();
    }
}
