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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Moves a Deployment's pods from the ReplicaSets of old templates to that of the present one. */
final class DeploymentController extends KeyedController {
    private final EventRecorder events;
    private final Adoption adoption;
    private final ReplicaSetRevisions revisions;
    private final DeploymentScaler scaler;
    private final DeploymentRollout rollout;

    DeploymentController(ControllerContext context) {
        super(context, "deployment-controller");
        events = context.events("deployment-controller");
        adoption = new Adoption(client, Kinds.REPLICA_SETS, context.indexes().replicaSets);
        revisions = new ReplicaSetRevisions(context, events);
        scaler = new DeploymentScaler(client, events);
        rollout = new DeploymentRollout(scaler);
        context.indexes().replicaSets.subscribe(this::onReplicaSet);
        context.indexes().pods.subscribe(this::onPod);
    }

    @Override
    public void start() {
        watchOwn(Kinds.DEPLOYMENTS);
    }

    private void onReplicaSet(@Nullable StoredObject before, @Nullable StoredObject after) {
        enqueueOwner(before);
        enqueueOwner(after);
        if (after != null && after.metadata().controller().isEmpty()) {
            for (StoredObject deployment : cache.list(Kinds.DEPLOYMENTS, after.namespace())) {
                if (selector(deployment.tree()).matches(after.metadata().labels())) {
                    enqueue(deployment);
                }
            }
        }
    }

    private void enqueueOwner(@Nullable StoredObject set) {
        if (set != null) {
            owner(set, "Deployment").ifPresent(name -> enqueue(new ObjectKey(set.namespace(), name)));
        }
    }

    /** The last pod of an old set going is what lets a Recreate proceed. */
    private void onPod(@Nullable StoredObject before, @Nullable StoredObject after) {
        if (before == null || after != null) {
            return;
        }
        owner(before, "ReplicaSet")
                .flatMap(name -> cache.get(Kinds.REPLICA_SETS, before.namespace(), name))
                .ifPresent(this::enqueueOwner);
    }

    private static Optional<String> owner(StoredObject object, String kind) {
        return object.metadata()
                .controller()
                .filter(owner -> owner.kind().equals(kind))
                .map(OwnerReference::name);
    }

    private static LabelSelector selector(ObjectNode object) {
        return LabelSelector.of(object.path("spec").path("selector"));
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.DEPLOYMENTS, key).map(StoredObject::tree);
        if (stored.isEmpty()) {
            return Result.DONE;
        }
        ObjectNode deployment = stored.get();
        if (selector(deployment).selectsEverything()) {
            events.warning(
                    deployment,
                    "SelectingAll",
                    "This deployment is selecting all pods. A non-empty selector is required.");
            return Result.DONE;
        }
        List<ObjectNode> sets = adoption.claim(Kinds.DEPLOYMENTS, deployment, selector(deployment));
        if (Metadata.deleting(deployment)) {
            updateStatus(deployment, sets, Deployments.newest(deployment, sets));
            return Result.DONE;
        }
        markPause(deployment);
        if (Deployments.paused(deployment)) {
            return scaleOnly(deployment, sets);
        }
        if (rollback(deployment, sets)) {
            return Result.DONE;
        }
        if (scalingWanted(deployment, sets)) {
            return scaleOnly(deployment, sets);
        }
        return roll(deployment, sets);
    }

    private Result scaleOnly(ObjectNode deployment, List<ObjectNode> sets) {
        Optional<ObjectNode> newest = revisions.refreshNewest(deployment, sets);
        List<ObjectNode> old = ReplicaSetRevisions.others(sets, newest);
        scaler.scaleAll(deployment, newest, old);
        if (Deployments.paused(deployment)) {
            cleanUp(deployment, old);
        }
        List<ObjectNode> all = new ArrayList<>(old);
        newest.ifPresent(all::add);
        updateStatus(deployment, all, newest);
        return Result.DONE;
    }

    private Result roll(ObjectNode deployment, List<ObjectNode> sets) {
        Optional<ObjectNode> newest;
        if (Deployments.recreates(deployment)) {
            newest = revisions.refreshNewest(deployment, sets);
            List<ObjectNode> old = ReplicaSetRevisions.others(sets, newest);
            if (rollout.stopAll(deployment, old) || podsRemain(old)) {
                return finish(deployment, old, newest);
            }
            newest = Optional.of(revisions.ensureNewest(deployment, sets));
            scaler.scale(deployment, newest.get(), Deployments.replicas(deployment));
        } else {
            newest = Optional.of(revisions.ensureNewest(deployment, sets));
            rollout.step(deployment, newest.get(), ReplicaSetRevisions.others(sets, newest));
        }
        List<ObjectNode> old = ReplicaSetRevisions.others(sets, newest);
        if (DeploymentStatus.complete(deployment, deployment.path("status"))) {
            cleanUp(deployment, old);
        }
        return finish(deployment, old, newest);
    }

    private Result finish(ObjectNode deployment, List<ObjectNode> old, Optional<ObjectNode> newest) {
        List<ObjectNode> all = new ArrayList<>(old);
        newest.ifPresent(all::add);
        Instant now = context.timers().instant();
        ObjectNode status = DeploymentStatus.rollout(deployment, all, newest, now);
        write(deployment, status);
        if (DeploymentStatus.complete(deployment, status)
                || DeploymentStatus.reason(status, DeploymentStatus.PROGRESSING)
                        .equals(DeploymentStatus.DEADLINE_EXCEEDED)) {
            return Result.DONE;
        }
        return DeploymentStatus.untilDeadline(deployment, status, now)
                .map(left -> Result.after(left.plus(Duration.ofSeconds(1))))
                .orElse(Result.DONE);
    }

    private void updateStatus(ObjectNode deployment, List<ObjectNode> all, Optional<ObjectNode> newest) {
        write(
                deployment,
                DeploymentStatus.count(deployment, all, newest, context.timers().instant()));
    }

    /** Compares with what is stored, for the tree at hand may carry conditions that were never written. */
    private void write(ObjectNode deployment, ObjectNode status) {
        ObjectKey key = new ObjectKey(Metadata.namespace(deployment), Metadata.name(deployment));
        boolean same = find(Kinds.DEPLOYMENTS, key)
                .map(stored -> Json.same(stored.tree().path("status"), status))
                .orElse(false);
        if (!same) {
            deployment.set("status", status);
            client.updateStatus(Kinds.DEPLOYMENTS, deployment);
        }
    }

    private void markPause(ObjectNode deployment) {
        ObjectNode status = Json.child(deployment, "status");
        String reason = DeploymentStatus.reason(status, DeploymentStatus.PROGRESSING);
        if (Deployments.progressDeadlineSeconds(deployment).isEmpty()
                || reason.equals(DeploymentStatus.DEADLINE_EXCEEDED)) {
            return;
        }
        boolean marked = reason.equals("DeploymentPaused");
        if (Deployments.paused(deployment) == marked) {
            return;
        }
        ObjectNode condition = marked
                ? Conditions.of(DeploymentStatus.PROGRESSING, "Unknown", "DeploymentResumed", "Deployment is resumed")
                : Conditions.of(DeploymentStatus.PROGRESSING, "Unknown", "DeploymentPaused", "Deployment is paused");
        DeploymentStatus.set(status, condition, context.timers().instant());
        deployment.setAll(client.updateStatus(Kinds.DEPLOYMENTS, deployment));
    }

    /** Undoes to the revision that the old rollback annotation asks for. */
    private boolean rollback(ObjectNode deployment, List<ObjectNode> sets) {
        String annotation = "deprecated.deployment.rollback.to";
        String asked = Metadata.annotation(deployment, annotation);
        if (asked.isEmpty()) {
            return false;
        }
        String current = Metadata.annotation(deployment, Deployments.REVISION);
        Optional<ObjectNode> target = asked.equals("0")
                ? sets.stream()
                        .filter(set ->
                                !Metadata.annotation(set, Deployments.REVISION).equals(current))
                        .max(Comparator.comparingLong(Deployments::revision))
                : sets.stream()
                        .filter(set ->
                                Metadata.annotation(set, Deployments.REVISION).equals(asked))
                        .findFirst();
        Metadata.of(deployment).withObject("annotations").remove(annotation);
        if (target.isEmpty()) {
            events.warning(deployment, "DeploymentRollbackRevisionNotFound", "Unable to find last revision.");
        } else {
            ObjectNode template = ((ObjectNode) target.get().path("spec").path("template")).deepCopy();
            Metadata.of(template).withObject("labels").remove(Deployments.HASH_LABEL);
            Json.child(deployment, "spec").set("template", template);
            events.normal(
                    deployment,
                    "DeploymentRollback",
                    "Rolled back deployment \"" + Metadata.name(deployment) + "\" to revision "
                            + Metadata.annotation(target.get(), Deployments.REVISION));
        }
        client.update(Kinds.DEPLOYMENTS, deployment);
        return true;
    }

    private static boolean scalingWanted(ObjectNode deployment, List<ObjectNode> sets) {
        String desired = Integer.toString(Deployments.replicas(deployment));
        return sets.stream()
                .filter(set -> Deployments.replicas(set) > 0)
                .map(set -> Metadata.annotation(set, Deployments.DESIRED_REPLICAS))
                .anyMatch(noted -> !noted.isEmpty() && !noted.equals(desired));
    }

    private boolean podsRemain(List<ObjectNode> old) {
        return old.stream()
                .flatMap(set -> context.indexes().pods.ownedBy(Metadata.uid(set)).stream())
                .anyMatch(pod -> !Pods.terminal(pod.tree()));
    }

    /** Deletes the oldest of the sets that hold nothing, beyond those kept for undoing. */
    private void cleanUp(ObjectNode deployment, List<ObjectNode> old) {
        int limit = deployment.path("spec").path("revisionHistoryLimit").asInt(10);
        List<ObjectNode> kept = new ArrayList<>(
                old.stream().filter(set -> !Metadata.deleting(set)).toList());
        if (kept.size() <= limit) {
            return;
        }
        kept.sort(Comparator.comparingLong(Deployments::revision));
        for (ObjectNode set : kept.subList(0, kept.size() - limit)) {
            boolean empty = set.path("status").path("replicas").asInt(0) == 0
                    && Deployments.replicas(set) == 0
                    && set.path("status").path("observedGeneration").asLong(0) >= Metadata.generation(set);
            if (empty) {
                delete(set);
            }
        }
    }

    private void delete(ObjectNode set) {
        try {
            client.delete(
                    Kinds.REPLICA_SETS,
                    Metadata.namespace(set),
                    Metadata.name(set),
                    io.atoll.client.Client.DeleteOptions.DEFAULT);
        } catch (ApiException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }
}
