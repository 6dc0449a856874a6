package io.atoll.syncer;

import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import io.atoll.syncer.translate.HostObjects;
import io.atoll.syncer.translate.Marks;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps host objects of one kind like the tenant's: creates, updates and deletes them. It touches no host object that it
 * has not made for this very tenant object. Keys are the tenant's; see {@link Controller} for threads.
 */
final class ObjectSync implements Reconciler<ObjectKey>, AutoCloseable {
    private final SyncContext context;
    private final Translation translation;
    private final Controller<ObjectKey> controller;
    private final ObjectCache.Subscription tenantObjects;
    private final ObjectCache.Subscription hostObjects;

    ObjectSync(SyncContext context, Translation translation) {
        this.context = context;
        this.translation = translation;
        String name = "sync-" + translation.type().resource();
        this.controller = new Controller<>(name, context.timers(), SyncContext.BACKOFF, SyncContext.WORKERS_MAX, this);
        this.tenantObjects = context.tenantCache().subscribe(translation.type(), this::tenantChanged);
        this.hostObjects = context.hostCache().subscribe(translation.type(), this::hostChanged);
    }

    void enqueue(ObjectKey key) {
        controller.enqueue(key);
    }

    private void tenantChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        StoredObject object = after == null ? before : after;
        if (object != null) {
            controller.enqueue(ObjectKey.of(object));
        }
    }

    private void hostChanged(@Nullable StoredObject before, @Nullable StoredObject after) {
        StoredObject object = after == null ? before : after;
        if (object == null || !isOurs(object)) {
            return;
        }
        ObjectNode tree = object.tree();
        if (context.objects().isOurs(tree)) {
            controller.enqueue(new ObjectKey(HostObjects.tenantNamespace(tree), HostObjects.tenantName(tree)));
        }
    }

    private boolean isOurs(StoredObject object) {
        return object.namespace().equals(context.names().namespace())
                && context.names().managedBy().equals(object.metadata().labels().get(Marks.MANAGED_BY));
    }

    @Override
    public Result reconcile(ObjectKey key) {
        sync(key);
        return Result.DONE;
    }

    /** Brings one object to the host now; another worker may be doing the same. */
    void sync(ObjectKey key) {
        Optional<ObjectNode> tenantObject = context.inTenant(translation.type(), key.namespace(), key.name());
        Optional<ObjectNode> present = context.onHost(translation.type(), translation.hostName(key));
        Optional<ObjectNode> wanted =
                tenantObject.filter(object -> !Metadata.deleting(object)).flatMap(translation::toHost);
        if (wanted.isEmpty()) {
            present.filter(host -> isFor(host, key))
                    .filter(host -> !Metadata.deleting(host))
                    .ifPresent(host -> context.deleteOnHost(translation.type(), host, -1));
            return;
        }
        context.scrubber().remember(key.namespace(), key.name());
        try {
            if (present.isEmpty()) {
                create(wanted.get());
            } else {
                update(tenantObject.orElseThrow(), present.get(), wanted.get());
            }
        } catch (ApiException e) {
            if (e.reason() != StatusReason.Conflict) {
                context.warn(tenantObject.orElseThrow(), "SyncError", "Error syncing to the host: " + e.getMessage());
            }
            throw e;
        }
    }

    private void create(ObjectNode wanted) {
        try {
            context.host().create(translation.type(), context.names().namespace(), wanted);
        } catch (ApiException e) {
            if (e.reason() != StatusReason.AlreadyExists) {
                throw e;
            }
            // The cache is behind, or another worker was quicker: the change will come by.
        }
    }

    private void update(ObjectNode tenantObject, ObjectNode present, ObjectNode wanted) {
        if (!isFor(present, key(tenantObject))) {
            context.warn(
                    tenantObject,
                    "SyncError",
                    "the host has an object " + Metadata.name(present) + " that is not this one");
            return;
        }
        if (Metadata.deleting(present)) {
            return;
        }
        boolean sameObject = HostObjects.tenantUid(present).equals(Metadata.uid(tenantObject))
                || translation
                        .hostName(key(tenantObject))
                        .equals(context.names().rootCertificate());
        ObjectNode next = present.deepCopy();
        HostObjects.refresh(next, wanted);
        if (!sameObject || !translation.update(next, wanted)) {
            context.deleteOnHost(translation.type(), present, -1);
            return;
        }
        if (!Json.same(present, next)) {
            context.host().update(translation.type(), next);
        }
        translation.toTenant(tenantObject, present);
    }

    /** The ConfigMap with the tenant's CA stands for one in every namespace. */
    private boolean isFor(ObjectNode host, ObjectKey key) {
        return Metadata.name(host).equals(context.names().rootCertificate())
                ? context.objects().isOurs(host) && HostObjects.tenantName(host).equals(key.name())
                : context.objects().isFor(host, key.namespace(), key.name());
    }

    private static ObjectKey key(ObjectNode object) {
        return new ObjectKey(Metadata.namespace(object), Metadata.name(object));
    }

    @Override
    public void close() {
        tenantObjects.close();
        hostObjects.close();
        controller.close();
    }
}
