package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.reconcile.EventRecorder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the ReplicaSet of a Deployment's present template, and keeps the numbers of its revisions. Any thread. */
final class ReplicaSetRevisions {
    private static final Set<String> OWN_ANNOTATIONS = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration",
            "deprecated.deployment.rollback.to",
            Deployments.REVISION,
            Deployments.REVISION_HISTORY,
            Deployments.DESIRED_REPLICAS,
            Deployments.MAX_REPLICAS);

    private final ControllerContext context;
    private final Client client;
    private final EventRecorder events;

    ReplicaSetRevisions(ControllerContext context, EventRecorder events) {
        this.context = context;
        this.client = context.client();
        this.events = events;
    }

    /** The set of the present template with its revision brought up to date; made when it is missing. */
    ObjectNode ensureNewest(ObjectNode deployment, List<ObjectNode> all) {
        Optional<ObjectNode> present = Deployments.newest(deployment, all);
        List<ObjectNode> old = others(all, present);
        long next = old.stream().mapToLong(Deployments::revision).max().orElse(0) + 1;
        return present.isPresent() ? refresh(deployment, present.get(), next) : create(deployment, old, next);
    }

    /** Brings the revision of the set up to date, if there is such a set. */
    Optional<ObjectNode> refreshNewest(ObjectNode deployment, List<ObjectNode> all) {
        Optional<ObjectNode> present = Deployments.newest(deployment, all);
        long next = others(all, present).stream()
                        .mapToLong(Deployments::revision)
                        .max()
                        .orElse(0)
                + 1;
        return present.map(set -> refresh(deployment, set, next));
    }

    static List<ObjectNode> others(List<ObjectNode> all, Optional<ObjectNode> newest) {
        String uid = newest.map(Metadata::uid).orElse("");
        return new ArrayList<>(
                all.stream().filter(set -> !Metadata.uid(set).equals(uid)).toList());
    }

    private ObjectNode refresh(ObjectNode deployment, ObjectNode set, long next) {
        ObjectNode fresh = set.deepCopy();
        boolean changed = annotate(deployment, fresh, next, true);
        JsonNode minReady = deployment.path("spec").path("minReadySeconds");
        if (minReady.asInt(0) != fresh.path("spec").path("minReadySeconds").asInt(0)) {
            Json.child(fresh, "spec").put("minReadySeconds", minReady.asInt(0));
            changed = true;
        }
        ObjectNode result = changed ? client.update(Kinds.REPLICA_SETS, fresh) : set;
        updateDeployment(deployment, result);
        return result;
    }

    /** The Deployment carries the newest set's revision; a set that was found makes the rollout progress. */
    private void updateDeployment(ObjectNode deployment, ObjectNode set) {
        boolean changed =
                Deployments.note(deployment, Deployments.REVISION, Metadata.annotation(set, Deployments.REVISION));
        ObjectNode status = Json.child(deployment, "status");
        boolean tracked = Deployments.progressDeadlineSeconds(deployment).isPresent();
        if (tracked && Conditions.find(status, DeploymentStatus.PROGRESSING).isEmpty()) {
            String message = "Found new replica set \"" + Metadata.name(set) + "\"";
            DeploymentStatus.set(
                    status,
                    Conditions.of(DeploymentStatus.PROGRESSING, "True", "FoundNewReplicaSet", message),
                    context.timers().instant());
        }
        if (changed) {
            ObjectNode kept = status.deepCopy();
            ObjectNode answer = client.update(Kinds.DEPLOYMENTS, deployment);
            deployment.set("metadata", answer.path("metadata"));
            deployment.set("status", kept);
        }
    }

    private ObjectNode create(ObjectNode deployment, List<ObjectNode> old, long revision) {
        ObjectNode template = ((ObjectNode) deployment.path("spec").path("template")).deepCopy();
        int collisions = deployment.path("status").path("collisionCount").asInt(0);
        String hash = TemplateHash.of(template, collisions);
        Metadata.setLabel(template, Deployments.HASH_LABEL, hash);
        ObjectNode set = skeleton(deployment, template, hash);
        List<ObjectNode> all = new ArrayList<>(old);
        all.add(set);
        RollingLimits limits = RollingLimits.of(deployment);
        int replicas = limits.newReplicas(deployment, all, set);
        Json.child(set, "spec").put("replicas", replicas);
        annotate(deployment, set, revision, false);
        Deployments.noteReplicas(
                set, Deployments.replicas(deployment), Deployments.replicas(deployment) + limits.surge());
        ObjectNode created;
        try {
            created = client.create(Kinds.REPLICA_SETS, Metadata.namespace(deployment), set);
        } catch (ApiException e) {
            created = afterFailure(deployment, set, e);
        }
        if (replicas > 0) {
            String message = "Scaled up replica set " + Metadata.name(created) + " from 0 to " + replicas;
            events.normal(deployment, "ScalingReplicaSet", message);
        }
        noteProgress(
                deployment,
                "True",
                "NewReplicaSetCreated",
                "Created new replica set \"" + Metadata.name(created) + "\"");
        updateDeployment(deployment, created);
        return created;
    }

    private ObjectNode skeleton(ObjectNode deployment, ObjectNode template, String hash) {
        ObjectNode set = Json.object();
        set.put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
        set.putObject("metadata")
                .put("name", Metadata.name(deployment) + "-" + hash)
                .put("namespace", Metadata.namespace(deployment));
        Metadata.setLabels(set, Metadata.labels(template));
        Metadata.setOwnerReferences(set, List.of(PodControl.controllerReference(deployment)));
        ObjectNode spec = set.putObject("spec");
        spec.put("replicas", 0);
        int minReady = deployment.path("spec").path("minReadySeconds").asInt(0);
        if (minReady > 0) {
            spec.put("minReadySeconds", minReady);
        }
        ObjectNode selector = ((ObjectNode) deployment.path("spec").path("selector")).deepCopy();
        Json.child(selector, "matchLabels").put(Deployments.HASH_LABEL, hash);
        spec.set("selector", selector);
        spec.set("template", template);
        return set;
    }

    /** The set that exists after all; otherwise leaves a trace in the Deployment's status and fails. */
    private ObjectNode afterFailure(ObjectNode deployment, ObjectNode set, ApiException failure) {
        if (failure.reason() == io.atoll.model.StatusReason.AlreadyExists) {
            ObjectNode taken = client.get(Kinds.REPLICA_SETS, Metadata.namespace(set), Metadata.name(set));
            boolean ours = Metadata.controller(taken)
                    .filter(owner -> owner.uid().equals(Metadata.uid(deployment)))
                    .isPresent();
            if (ours && Deployments.newest(deployment, List.of(taken)).isPresent()) {
                return taken;
            }
            ObjectNode status = Json.child(deployment, "status");
            status.put("collisionCount", status.path("collisionCount").asInt(0) + 1);
            client.updateStatus(Kinds.DEPLOYMENTS, deployment);
            throw failure;
        }
        if (!PodControl.namespaceTerminating(failure)) {
            String message = "Failed to create new replica set \"" + Metadata.name(set) + "\": " + failure.getMessage();
            noteProgress(deployment, "False", "FailedCreate", message);
            client.updateStatus(Kinds.DEPLOYMENTS, deployment);
            events.warning(deployment, "ReplicaSetCreateError", message);
        }
        throw failure;
    }

    private void noteProgress(ObjectNode deployment, String status, String reason, String message) {
        if (Deployments.progressDeadlineSeconds(deployment).isPresent()) {
            DeploymentStatus.set(
                    Json.child(deployment, "status"),
                    Conditions.of(DeploymentStatus.PROGRESSING, status, reason, message),
                    context.timers().instant());
        }
    }

    /** Copies the Deployment's annotations and raises the revision; true when that changed something. */
    private static boolean annotate(ObjectNode deployment, ObjectNode set, long revision, boolean exists) {
        boolean changed = false;
        for (Map.Entry<String, String> annotation :
                Metadata.annotations(deployment).entrySet()) {
            if (!OWN_ANNOTATIONS.contains(annotation.getKey())) {
                changed |= Deployments.note(set, annotation.getKey(), annotation.getValue());
            }
        }
        long before = Deployments.revision(set);
        if (before >= revision) {
            return changed;
        }
        Metadata.setAnnotation(set, Deployments.REVISION, Long.toString(revision));
        if (exists && before > 0) {
            remember(set, before);
        }
        return true;
    }

    /** A set that becomes the newest again keeps the numbers it had. */
    private static void remember(ObjectNode set, long revision) {
        String history = Metadata.annotation(set, Deployments.REVISION_HISTORY);
        List<String> known = new ArrayList<>(history.isEmpty() ? List.of() : Arrays.asList(history.split(",", -1)));
        known.add(Long.toString(revision));
        Metadata.setAnnotation(set, Deployments.REVISION_HISTORY, String.join(",", known));
    }
}
