package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.reconcile.EventRecorder;
import io.atoll.reconcile.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Keeps as many pods as a ReplicaSet asks for. */
final class ReplicaSetController extends KeyedController {
    /** Pods created or deleted in one go; the rest follows when these have been seen. */
    private static final int BURST_REPLICAS_MAX = 500;

    private final EventRecorder events;
    private final PodControl podControl;
    private final Expectations expectations;
    private final Adoption adoption;

    ReplicaSetController(ControllerContext context) {
        super(context, "replicaset-controller");
        events = context.events("replicaset-controller");
        podControl = new PodControl(client, events);
        expectations = new Expectations(context.timers());
        adoption = new Adoption(client, Kinds.PODS, context.indexes().pods);
        context.indexes().pods.subscribe(this::onPod);
        context.indexes().replicaSets.subscribe((before, after) -> enqueue(after != null ? after : before));
    }

    @Override
    public void start() {}

    private void onPod(@Nullable StoredObject before, @Nullable StoredObject after) {
        StoredObject pod = after != null ? after : before;
        if (pod == null) {
            return;
        }
        Optional<OwnerReference> owner = ownerIn(pod);
        owner.ifPresent(reference -> {
            ObjectKey key = new ObjectKey(pod.namespace(), reference.name());
            expectations.observe(key, before, after);
            enqueue(key);
        });
        if (before != null && after != null) {
            ownerIn(before)
                    .filter(old -> owner.isEmpty() || !owner.get().uid().equals(old.uid()))
                    .ifPresent(old -> enqueue(new ObjectKey(pod.namespace(), old.name())));
        }
        if (after != null && after.metadata().controller().isEmpty()) {
            enqueueSelecting(after);
        }
    }

    private static Optional<OwnerReference> ownerIn(StoredObject pod) {
        return pod.metadata().controller().filter(owner -> owner.kind().equals("ReplicaSet"));
    }

    private void enqueueSelecting(StoredObject orphan) {
        for (StoredObject set : cache.list(Kinds.REPLICA_SETS, orphan.namespace())) {
            if (selector(set.tree()).matches(orphan.metadata().labels())) {
                enqueue(set);
            }
        }
    }

    private static LabelSelector selector(ObjectNode set) {
        return LabelSelector.of(set.path("spec").path("selector"));
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<StoredObject> stored = find(Kinds.REPLICA_SETS, key);
        if (stored.isEmpty()) {
            expectations.forget(key);
            return Result.DONE;
        }
        ObjectNode set = stored.get().tree();
        boolean inSync = expectations.satisfied(key);
        List<ObjectNode> claimed = adoption.claim(Kinds.REPLICA_SETS, set, selector(set));
        List<ObjectNode> active =
                new ArrayList<>(claimed.stream().filter(Pods::active).toList());
        RuntimeException failure = null;
        int asked = ReplicaSetStatus.replicas(set) - active.size();
        if (inSync && !Metadata.deleting(set)) {
            failure = manage(key, set, active);
        }
        Instant now = context.timers().instant();
        int terminating = (int) claimed.stream().filter(Pods::terminating).count();
        ObjectNode status = ReplicaSetStatus.of(set, active, terminating, asked, failure, now);
        if (!Json.same(status, set.path("status"))) {
            set.set("status", status);
            client.updateStatus(Kinds.REPLICA_SETS, set);
        }
        if (failure != null) {
            throw failure;
        }
        return next(inSync, set, active, now);
    }

    private Result next(boolean inSync, ObjectNode set, List<ObjectNode> active, Instant now) {
        long minReadySeconds = set.path("spec").path("minReadySeconds").asLong(0);
        Optional<Duration> wait = active.stream()
                .flatMap(pod -> Pods.untilAvailable(pod, minReadySeconds, now).stream())
                .min(Duration::compareTo);
        if (wait.isPresent()) {
            return Result.after(wait.get().plusMillis(50));
        }
        return inSync ? Result.DONE : Result.after(Expectations.TIMEOUT.plusSeconds(1));
    }

    private @Nullable RuntimeException manage(ObjectKey key, ObjectNode set, List<ObjectNode> active) {
        int missing = ReplicaSetStatus.replicas(set) - active.size();
        if (missing > 0) {
            return create(key, set, Math.min(missing, BURST_REPLICAS_MAX));
        }
        return missing < 0 ? delete(key, set, active, Math.min(-missing, BURST_REPLICAS_MAX)) : null;
    }

    private @Nullable RuntimeException create(ObjectKey key, ObjectNode set, int count) {
        expectations.expectCreations(key, count);
        SlowStart.Outcome outcome = SlowStart.run(count, _ -> {
            try {
                podControl.create(set, PodControl.fromTemplate(set.path("spec").path("template"), set));
            } catch (ApiException e) {
                if (!PodControl.namespaceTerminating(e)) {
                    throw e;
                }
                expectations.creationObserved(key);
            }
        });
        for (int i = outcome.succeeded(); i < count; i++) {
            expectations.creationObserved(key);
        }
        return outcome.failure();
    }

    private @Nullable RuntimeException delete(ObjectKey key, ObjectNode set, List<ObjectNode> active, int count) {
        List<ObjectNode> victims = new DeletionOrder(context.timers().instant()).first(active, count);
        expectations.expectDeletions(key, victims.stream().map(Metadata::uid).toList());
        RuntimeException failure = null;
        for (ObjectNode victim : victims) {
            try {
                podControl.delete(set, victim);
            } catch (ApiException e) {
                expectations.deletionObserved(key, Metadata.uid(victim));
                failure = e;
            }
        }
        return failure;
    }
}
