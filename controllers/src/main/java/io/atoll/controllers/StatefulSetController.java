package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.reconcile.EventRecorder;
import io.atoll.reconcile.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Keeps numbered pods, each with its own name and claims, one step at a time. */
final class StatefulSetController extends KeyedController {
    private final Adoption adoption;
    private final RevisionHistory history;
    private final StatefulSteps steps;

    StatefulSetController(ControllerContext context) {
        super(context, "statefulset-controller");
        EventRecorder events = context.events("statefulset-controller");
        adoption = new Adoption(client, Kinds.PODS, context.indexes().pods);
        history = new RevisionHistory(client, context.indexes().revisions);
        steps = new StatefulSteps(context, events);
        context.indexes().pods.subscribe((before, after) -> {
            enqueueOwner(before);
            enqueueOwner(after);
        });
        context.indexes().revisions.subscribe((before, after) -> {});
    }

    @Override
    public void start() {
        watchOwn(Kinds.STATEFUL_SETS);
    }

    private void enqueueOwner(@Nullable StoredObject pod) {
        if (pod != null) {
            Optional<OwnerReference> owner = pod.metadata()
                    .controller()
                    .filter(reference -> reference.kind().equals("StatefulSet"));
            owner.ifPresent(reference -> enqueue(new ObjectKey(pod.namespace(), reference.name())));
        }
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.STATEFUL_SETS, key).map(StoredObject::tree);
        if (stored.isEmpty()) {
            return Result.DONE;
        }
        ObjectNode set = stored.get();
        LabelSelector selector = LabelSelector.of(set.path("spec").path("selector"));
        List<ObjectNode> pods = adoption.claim(Kinds.STATEFUL_SETS, set, selector).stream()
                .filter(pod -> StatefulPods.ordinal(set, pod) >= 0)
                .toList();
        List<ObjectNode> revisions = history.of(set);
        ObjectNode update = history.ensureNewest(set, revisions, RevisionHistory.hashLabel());
        String currentName = set.path("status").path("currentRevision").asString("");
        ObjectNode current = revisions.stream()
                .filter(revision -> Metadata.name(revision).equals(currentName))
                .findFirst()
                .orElse(update);
        RuntimeException failure = null;
        if (!Metadata.deleting(set)) {
            try {
                steps.take(set, pods, current, update);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        writeStatus(set, pods, current, update);
        Set<String> used = new HashSet<>(List.of(Metadata.name(current), Metadata.name(update)));
        pods.forEach(pod -> used.add(StatefulPods.revision(pod)));
        history.cleanUp(set, revisions, used);
        if (failure != null) {
            throw failure;
        }
        return untilAvailable(set, pods);
    }

    private Result untilAvailable(ObjectNode set, List<ObjectNode> pods) {
        long minReadySeconds = set.path("spec").path("minReadySeconds").asLong(0);
        Instant now = context.timers().instant();
        return pods.stream()
                .flatMap(pod -> Pods.untilAvailable(pod, minReadySeconds, now).stream())
                .min(Duration::compareTo)
                .map(wait -> Result.after(wait.plusMillis(50)))
                .orElse(Result.DONE);
    }

    private void writeStatus(ObjectNode set, List<ObjectNode> pods, ObjectNode current, ObjectNode update) {
        ObjectNode status = Json.child(set, "status").deepCopy();
        long minReadySeconds = set.path("spec").path("minReadySeconds").asLong(0);
        Instant now = context.timers().instant();
        int ready = 0;
        int available = 0;
        int ofCurrent = 0;
        int ofUpdate = 0;
        for (ObjectNode pod : pods) {
            boolean alive = !Metadata.deleting(pod);
            ready += Pods.ready(pod) ? 1 : 0;
            available += Pods.available(pod, minReadySeconds, now) ? 1 : 0;
            ofCurrent += alive && StatefulPods.revision(pod).equals(Metadata.name(current)) ? 1 : 0;
            ofUpdate += alive && StatefulPods.revision(pod).equals(Metadata.name(update)) ? 1 : 0;
        }
        status.put("observedGeneration", (int) Metadata.generation(set));
        status.put("replicas", pods.size());
        ReplicaSetStatus.putOrRemove(status, "readyReplicas", ready);
        status.put("availableReplicas", available);
        ReplicaSetStatus.putOrRemove(status, "currentReplicas", ofCurrent);
        ReplicaSetStatus.putOrRemove(status, "updatedReplicas", ofUpdate);
        status.put("currentRevision", Metadata.name(current));
        status.put("updateRevision", Metadata.name(update));
        if (!status.has("collisionCount")) {
            status.put("collisionCount", 0);
        }
        boolean rolledOut = ofUpdate == Deployments.replicas(set) && ofUpdate == pods.size() && ready == ofUpdate;
        if (rolledOut && !Metadata.name(current).equals(Metadata.name(update))) {
            status.put("currentRevision", Metadata.name(update));
            ReplicaSetStatus.putOrRemove(status, "currentReplicas", ofUpdate);
        }
        if (!Json.same(status, set.path("status"))) {
            set.set("status", status);
            client.updateStatus(Kinds.STATEFUL_SETS, set);
        }
    }
}
