package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.ResourceType;
import io.atoll.reconcile.EventRecorder;
import io.atoll.reconcile.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Says in each PodDisruptionBudget's status how many of its pods may be evicted. */
final class DisruptionController extends KeyedController {
    private static final Duration EVICTION_TAKES_MAX = Duration.ofMinutes(2);

    private final EventRecorder events;

    DisruptionController(ControllerContext context) {
        super(context, "disruption-controller");
        events = context.events("controllermanager");
        context.indexes().pods.subscribe((before, after) -> {
            enqueueBudgets(before);
            enqueueBudgets(after);
        });
    }

    @Override
    public void start() {
        watchOwn(Kinds.POD_DISRUPTION_BUDGETS);
    }

    private void enqueueBudgets(@Nullable StoredObject pod) {
        if (pod == null) {
            return;
        }
        for (StoredObject budget : cache.list(Kinds.POD_DISRUPTION_BUDGETS, pod.namespace())) {
            if (selector(budget.tree()).matches(pod.metadata().labels())) {
                enqueue(budget);
            }
        }
    }

    private static LabelSelector selector(ObjectNode budget) {
        return LabelSelector.of(budget.path("spec").path("selector"));
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.POD_DISRUPTION_BUDGETS, key).map(StoredObject::tree);
        if (stored.isEmpty()) {
            return Result.DONE;
        }
        ObjectNode budget = stored.get();
        List<ObjectNode> pods = new ArrayList<>();
        LabelSelector selector = selector(budget);
        for (StoredObject pod : cache.list(Kinds.PODS, key.namespace())) {
            if (selector.matches(pod.metadata().labels())) {
                pods.add(pod.tree());
            }
        }
        pods.removeIf(Pods::terminal);
        if (pods.isEmpty()) {
            events.normal(budget, "NoPods", "No matching pods found");
        }
        ObjectNode status = Json.child(budget, "status").deepCopy();
        Result next = evictions(status, pods);
        count(budget, status, pods);
        if (!Json.same(status, budget.path("status"))) {
            budget.set("status", status);
            client.updateStatus(Kinds.POD_DISRUPTION_BUDGETS, budget);
        }
        return next;
    }

    /** Forgets evictions that have happened, and those that have not come to anything. */
    private Result evictions(ObjectNode status, List<ObjectNode> pods) {
        if (!(status.get("disruptedPods") instanceof ObjectNode disrupted)) {
            return Result.DONE;
        }
        Instant now = context.timers().instant();
        for (String name : List.copyOf(disrupted.propertyNames())) {
            boolean there = pods.stream().anyMatch(pod -> Metadata.name(pod).equals(name) && !Metadata.deleting(pod));
            Instant until = Pods.time(disrupted.path(name)).plus(EVICTION_TAKES_MAX);
            if (!there || until.isBefore(now)) {
                disrupted.remove(name);
            }
        }
        if (disrupted.isEmpty()) {
            status.remove("disruptedPods");
            return Result.DONE;
        }
        return Result.after(EVICTION_TAKES_MAX);
    }

    private void count(ObjectNode budget, ObjectNode status, List<ObjectNode> pods) {
        int healthy = 0;
        for (ObjectNode pod : pods) {
            boolean leaving =
                    Metadata.deleting(pod) || status.path("disruptedPods").has(Metadata.name(pod));
            healthy += !leaving && Pods.ready(pod) ? 1 : 0;
        }
        JsonNode least = budget.path("spec").path("minAvailable");
        JsonNode most = budget.path("spec").path("maxUnavailable");
        int expected;
        int wanted;
        if (!most.isMissingNode() && !most.isNull()) {
            expected = expected(pods);
            wanted = Math.max(0, expected - RollingLimits.scaled(most, expected, true));
        } else if (least.isNumber()) {
            expected = pods.size();
            wanted = least.asInt(0);
        } else {
            expected = expected(pods);
            wanted = least.isMissingNode() ? 1 : RollingLimits.scaled(least, expected, true);
        }
        int allowed = expected <= 0 ? 0 : Math.max(0, healthy - wanted);
        status.put("disruptionsAllowed", allowed)
                .put("currentHealthy", healthy)
                .put("desiredHealthy", wanted)
                .put("expectedPods", expected)
                .put("observedGeneration", (int) Metadata.generation(budget));
        ObjectNode condition = allowed > 0
                ? Conditions.of("DisruptionAllowed", "True", "SufficientPods", "")
                : Conditions.of("DisruptionAllowed", "False", "InsufficientPods", "");
        condition.put("observedGeneration", (int) Metadata.generation(budget));
        Conditions.set(status, condition, context.now());
    }

    /** How many pods their controllers want in all; pods without one count for themselves. */
    private int expected(List<ObjectNode> pods) {
        Map<String, Integer> byOwner = new HashMap<>();
        int alone = 0;
        for (ObjectNode pod : pods) {
            Optional<OwnerReference> owner = Metadata.controller(pod);
            Optional<Integer> wanted = owner.flatMap(reference -> scale(Metadata.namespace(pod), reference));
            if (wanted.isPresent()) {
                byOwner.put(root(Metadata.namespace(pod), owner.get()), wanted.get());
            } else {
                alone++;
            }
        }
        return alone + byOwner.values().stream().mapToInt(Integer::intValue).sum();
    }

    private Optional<Integer> scale(String namespace, OwnerReference owner) {
        Optional<ObjectNode> set = find(namespace, owner);
        Optional<ObjectNode> deployment = set.flatMap(Metadata::controller)
                .filter(reference -> reference.kind().equals("Deployment"))
                .flatMap(reference -> find(namespace, reference));
        return (deployment.isPresent() ? deployment : set).map(Deployments::replicas);
    }

    private String root(String namespace, OwnerReference owner) {
        return find(namespace, owner)
                .flatMap(Metadata::controller)
                .map(OwnerReference::uid)
                .orElse(owner.uid());
    }

    private Optional<ObjectNode> find(String namespace, OwnerReference owner) {
        ResourceType type = switch (owner.kind()) {
            case "ReplicaSet" -> Kinds.REPLICA_SETS;
            case "StatefulSet" -> Kinds.STATEFUL_SETS;
            case "Deployment" -> Kinds.DEPLOYMENTS;
            case "ReplicationController" -> Kinds.REPLICATION_CONTROLLERS;
            default -> null;
        };
        return type == null
                ? Optional.empty()
                : cache.get(type, namespace, owner.name()).map(StoredObject::tree);
    }
}
