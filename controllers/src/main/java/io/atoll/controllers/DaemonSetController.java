package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.reconcile.EventRecorder;
import io.atoll.reconcile.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Keeps one pod on each node that a DaemonSet selects. */
final class DaemonSetController extends KeyedController {
    private final EventRecorder events;
    private final PodControl podControl;
    private final Expectations expectations;
    private final Adoption adoption;
    private final RevisionHistory history;

    DaemonSetController(ControllerContext context) {
        super(context, "daemonset-controller");
        events = context.events("daemonset-controller");
        podControl = new PodControl(client, events);
        expectations = new Expectations(context.timers());
        adoption = new Adoption(client, Kinds.PODS, context.indexes().pods);
        history = new RevisionHistory(client, context.indexes().revisions);
        context.indexes().pods.subscribe(this::onPod);
        context.indexes().revisions.subscribe((before, after) -> {});
    }

    @Override
    public void start() {
        watchOwn(Kinds.DAEMON_SETS);
        watch(Kinds.NODES, (before, after) -> {
            if (before == null || after == null || placementChanged(before, after)) {
                cache.list(Kinds.DAEMON_SETS, "").forEach(this::enqueue);
            }
        });
    }

    /** Heartbeats change a node all the time; only these fields matter here. */
    private static boolean placementChanged(StoredObject before, StoredObject after) {
        return !before.metadata().labels().equals(after.metadata().labels())
                || !before.tree().path("spec").equals(after.tree().path("spec"));
    }

    private void onPod(@Nullable StoredObject before, @Nullable StoredObject after) {
        StoredObject pod = after != null ? after : before;
        if (pod == null) {
            return;
        }
        Optional<OwnerReference> owner =
                pod.metadata().controller().filter(reference -> reference.kind().equals("DaemonSet"));
        if (owner.isPresent()) {
            ObjectKey key = new ObjectKey(pod.namespace(), owner.get().name());
            expectations.observe(key, before, after);
            enqueue(key);
        }
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.DAEMON_SETS, key).map(StoredObject::tree);
        if (stored.isEmpty()) {
            expectations.forget(key);
            return Result.DONE;
        }
        ObjectNode set = stored.get();
        LabelSelector selector = LabelSelector.of(set.path("spec").path("selector"));
        if (selector.selectsEverything()) {
            events.warning(
                    set, "SelectingAll", "This daemon set is selecting all pods. A non-empty selector is required.");
            return Result.DONE;
        }
        boolean inSync = expectations.satisfied(key);
        List<ObjectNode> pods = adoption.claim(Kinds.DAEMON_SETS, set, selector);
        List<ObjectNode> revisions = history.of(set);
        ObjectNode newest = history.ensureNewest(set, revisions, RevisionHistory.POD_LABEL);
        String hash = Metadata.label(newest, RevisionHistory.POD_LABEL);
        Map<String, List<ObjectNode>> byNode = new HashMap<>();
        pods.forEach(pod -> byNode.computeIfAbsent(DaemonPlacement.node(pod), _ -> new ArrayList<>())
                .add(pod));
        List<ObjectNode> nodes =
                cache.list(Kinds.NODES, "").stream().map(StoredObject::tree).toList();
        RuntimeException failure = null;
        if (inSync && !Metadata.deleting(set)) {
            failure = place(key, set, nodes, byNode, hash);
        }
        writeStatus(set, nodes, byNode, hash);
        Set<String> used = new HashSet<>();
        used.add(Metadata.name(newest));
        revisions.stream()
                .filter(revision -> pods.stream()
                        .anyMatch(pod ->
                                StatefulPods.revision(pod).equals(Metadata.label(revision, RevisionHistory.POD_LABEL))))
                .forEach(revision -> used.add(Metadata.name(revision)));
        history.cleanUp(set, revisions, used);
        if (failure != null) {
            throw failure;
        }
        return Result.DONE;
    }

    private @Nullable RuntimeException place(
            ObjectKey key, ObjectNode set, List<ObjectNode> nodes, Map<String, List<ObjectNode>> byNode, String hash) {
        List<String> missing = new ArrayList<>();
        List<ObjectNode> surplus = new ArrayList<>();
        for (ObjectNode node : nodes) {
            List<ObjectNode> present = byNode.getOrDefault(Metadata.name(node), List.of());
            List<ObjectNode> alive = present.stream().filter(Pods::active).toList();
            present.stream()
                    .filter(pod -> Pods.terminal(pod) && !Metadata.deleting(pod))
                    .forEach(surplus::add);
            if (!alive.isEmpty() && !DaemonPlacement.mayStay(set, node)) {
                surplus.addAll(alive);
            } else if (alive.size() > 1) {
                surplus.addAll(alive.stream().sorted(Deployments.BY_AGE).skip(1).toList());
            } else if (present.isEmpty() && DaemonPlacement.shouldRun(set, node)) {
                missing.add(Metadata.name(node));
            }
        }
        if (missing.isEmpty() && surplus.isEmpty()) {
            surplus.addAll(outdated(set, nodes, byNode, hash));
        }
        return carryOut(key, set, missing, surplus, hash);
    }

    /** Pods of old templates, as many as may be missing at a time. */
    private List<ObjectNode> outdated(
            ObjectNode set, List<ObjectNode> nodes, Map<String, List<ObjectNode>> byNode, String hash) {
        JsonNode strategy = set.path("spec").path("updateStrategy");
        if (strategy.path("type").asString("").equals("OnDelete")) {
            return List.of();
        }
        int wanted = (int) nodes.stream()
                .filter(node -> DaemonPlacement.shouldRun(set, node))
                .count();
        JsonNode limit = strategy.path("rollingUpdate").path("maxUnavailable");
        int mayMiss =
                limit.isMissingNode() || limit.isNull() ? 1 : Math.max(1, RollingLimits.scaled(limit, wanted, true));
        List<ObjectNode> unavailable = new ArrayList<>();
        List<ObjectNode> available = new ArrayList<>();
        int missing = 0;
        for (List<ObjectNode> pods : byNode.values()) {
            for (ObjectNode pod : pods) {
                boolean works = Pods.active(pod) && available(set, pod);
                missing += works ? 0 : 1;
                if (Pods.active(pod) && !StatefulPods.revision(pod).equals(hash)) {
                    (works ? available : unavailable).add(pod);
                }
            }
        }
        List<ObjectNode> going = new ArrayList<>(unavailable);
        available.sort(Deployments.BY_AGE);
        going.addAll(available.subList(0, Math.clamp((long) mayMiss - missing, 0, available.size())));
        return going;
    }

    private boolean available(ObjectNode set, ObjectNode pod) {
        Instant now = context.timers().instant();
        return Pods.available(pod, set.path("spec").path("minReadySeconds").asLong(0), now);
    }

    private @Nullable RuntimeException carryOut(
            ObjectKey key, ObjectNode set, List<String> missing, List<ObjectNode> surplus, String hash) {
        expectations.expectCreations(key, missing.size());
        expectations.expectDeletions(key, surplus.stream().map(Metadata::uid).toList());
        RuntimeException failure = null;
        for (ObjectNode pod : surplus) {
            if (Pods.failed(pod)) {
                events.warning(
                        set,
                        "FailedDaemonPod",
                        "Found failed daemon pod " + Metadata.namespace(pod) + "/" + Metadata.name(pod) + " on node "
                                + DaemonPlacement.node(pod) + ", will try to kill it");
            }
            try {
                podControl.delete(set, pod);
            } catch (ApiException e) {
                expectations.deletionObserved(key, Metadata.uid(pod));
                failure = e;
            }
        }
        SlowStart.Outcome outcome = SlowStart.run(
                missing.size(), i -> podControl.create(set, DaemonPlacement.pod(set, missing.get(i), hash)));
        for (int i = outcome.succeeded(); i < missing.size(); i++) {
            expectations.creationObserved(key);
        }
        return outcome.failure() != null ? outcome.failure() : failure;
    }

    private void writeStatus(
            ObjectNode set, List<ObjectNode> nodes, Map<String, List<ObjectNode>> byNode, String hash) {
        int desired = 0;
        int current = 0;
        int misplaced = 0;
        int ready = 0;
        int available = 0;
        int updated = 0;
        for (ObjectNode node : nodes) {
            List<ObjectNode> pods = byNode.getOrDefault(Metadata.name(node), List.of()).stream()
                    .filter(Pods::active)
                    .toList();
            if (!DaemonPlacement.shouldRun(set, node)) {
                misplaced += pods.isEmpty() ? 0 : 1;
                continue;
            }
            desired++;
            if (!pods.isEmpty()) {
                ObjectNode pod = pods.getFirst();
                current++;
                ready += Pods.ready(pod) ? 1 : 0;
                available += available(set, pod) ? 1 : 0;
                updated += StatefulPods.revision(pod).equals(hash) ? 1 : 0;
            }
        }
        ObjectNode status = Json.child(set, "status").deepCopy();
        status.put("currentNumberScheduled", current)
                .put("numberMisscheduled", misplaced)
                .put("desiredNumberScheduled", desired)
                .put("numberReady", ready)
                .put("observedGeneration", (int) Metadata.generation(set));
        ReplicaSetStatus.putOrRemove(status, "updatedNumberScheduled", updated);
        ReplicaSetStatus.putOrRemove(status, "numberAvailable", available);
        ReplicaSetStatus.putOrRemove(status, "numberUnavailable", desired - available);
        if (!Json.same(status, set.path("status"))) {
            set.set("status", status);
            client.updateStatus(Kinds.DAEMON_SETS, set);
        }
    }
}
