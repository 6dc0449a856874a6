package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.reconcile.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes into ClusterRoles with an aggregation rule the rules of the roles that it selects. */
final class ClusterRoleAggregationController extends KeyedController {
    private static final byte[] MARK = "\"aggregationRule\"".getBytes(StandardCharsets.UTF_8);

    private final Set<ObjectKey> aggregated = ConcurrentHashMap.newKeySet();

    ClusterRoleAggregationController(ControllerContext context) {
        super(context, "clusterrole-aggregation-controller");
    }

    @Override
    public void start() {
        watch(Kinds.CLUSTER_ROLES, this::onRole);
    }

    private void onRole(@Nullable StoredObject before, @Nullable StoredObject after) {
        if (after != null && Bytes.contains(after.json(), MARK)) {
            aggregated.add(ObjectKey.of(after));
        } else if (before != null) {
            aggregated.remove(ObjectKey.of(before));
        }
        aggregated.forEach(this::enqueue);
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.CLUSTER_ROLES, key).map(StoredObject::tree);
        if (stored.isEmpty() || stored.get().path("aggregationRule").isMissingNode()) {
            return Result.DONE;
        }
        ObjectNode role = stored.get();
        ArrayNode rules = union(selectors(role), key);
        JsonNode present = role.path("rules");
        if (Json.same(present, rules) || (rules.isEmpty() && present.isEmpty())) {
            return Result.DONE;
        }
        ObjectNode applied = Json.object();
        applied.put("apiVersion", "rbac.authorization.k8s.io/v1").put("kind", "ClusterRole");
        applied.putObject("metadata").put("name", key.name());
        applied.set("rules", rules);
        client.apply(Kinds.CLUSTER_ROLES, "", key.name(), "clusterrole-aggregation-controller", applied);
        return Result.DONE;
    }

    private static List<LabelSelector> selectors(ObjectNode role) {
        List<LabelSelector> selectors = new ArrayList<>();
        role.path("aggregationRule")
                .path("clusterRoleSelectors")
                .forEach(node -> selectors.add(LabelSelector.of(node)));
        return selectors;
    }

    private ArrayNode union(List<LabelSelector> selectors, ObjectKey self) {
        Set<JsonNode> rules = new LinkedHashSet<>();
        List<StoredObject> roles = new ArrayList<>(cache.list(Kinds.CLUSTER_ROLES, ""));
        roles.sort(Comparator.comparing(StoredObject::name));
        for (LabelSelector selector : selectors) {
            for (StoredObject role : roles) {
                if (!role.name().equals(self.name())
                        && selector.matches(role.metadata().labels())) {
                    role.tree().path("rules").forEach(rules::add);
                }
            }
        }
        ArrayNode array = Json.array();
        rules.forEach(array::add);
        return array;
    }
}
