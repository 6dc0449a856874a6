package io.atoll.controllers;

import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.Quantity;
import io.atoll.model.ResourceType;
import io.atoll.model.pod.PodQuota;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Adds up what a namespace uses of what a ResourceQuota limits. Any thread. */
final class QuotaUsage {
    private static final Map<String, ResourceType> COUNTED = Map.of(
            "pods", Kinds.PODS,
            "services", Kinds.SERVICES,
            "configmaps", Kinds.CONFIG_MAPS,
            "secrets", Kinds.SECRETS,
            "persistentvolumeclaims", Kinds.PERSISTENT_VOLUME_CLAIMS,
            "resourcequotas", Kinds.RESOURCE_QUOTAS,
            "replicationcontrollers", Kinds.REPLICATION_CONTROLLERS);
    private static final Map<String, ResourceType> COUNTED_BY_GROUP = Map.of(
            "deployments.apps", Kinds.DEPLOYMENTS,
            "replicasets.apps", Kinds.REPLICA_SETS,
            "statefulsets.apps", Kinds.STATEFUL_SETS,
            "jobs.batch", Kinds.JOBS,
            "cronjobs.batch", Kinds.CRON_JOBS);

    private final ObjectCache cache;

    QuotaUsage(ObjectCache cache) {
        this.cache = cache;
    }

    /** A quantity for each name under {@code spec.hard} that can be told. */
    Map<String, Quantity> of(ObjectNode quota, String namespace) {
        Map<String, Quantity> used = new TreeMap<>();
        Map<String, Quantity> pods = null;
        for (Map.Entry<String, JsonNode> limit : quota.path("spec").path("hard").properties()) {
            String name = limit.getKey();
            if (isOfPods(name)) {
                if (pods == null) {
                    pods = ofPods(quota, namespace);
                }
                used.put(name, pods.getOrDefault(name, Quantity.ZERO));
            } else if (!PodQuota.scoped(quota.path("spec"))) {
                ofOthers(name, namespace).ifPresent(quantity -> used.put(name, quantity));
            }
        }
        return used;
    }

    private static boolean isOfPods(String name) {
        return !name.equals("requests.storage")
                && (name.equals("pods")
                        || name.equals("count/pods")
                        || name.equals("cpu")
                        || name.equals("memory")
                        || name.equals("ephemeral-storage")
                        || name.startsWith("requests.")
                        || name.startsWith("limits."));
    }

    private Map<String, Quantity> ofPods(ObjectNode quota, String namespace) {
        Map<String, Quantity> sum = new TreeMap<>();
        for (StoredObject stored : cache.list(Kinds.PODS, namespace)) {
            JsonNode pod = stored.tree();
            if (PodQuota.counts(quota.path("spec"), pod)) {
                PodQuota.usage(pod).forEach((name, quantity) -> sum.merge(name, quantity, Quantity::add));
            }
        }
        return sum;
    }

    private Optional<Quantity> ofOthers(String name, String namespace) {
        if (name.equals("requests.storage")) {
            return Optional.of(storage(namespace));
        }
        if (name.equals("services.nodeports") || name.equals("services.loadbalancers")) {
            return Optional.of(Quantity.of(services(name, namespace)));
        }
        ResourceType type = name.startsWith("count/")
                ? COUNTED_BY_GROUP.getOrDefault(
                        name.substring("count/".length()), COUNTED.get(name.substring("count/".length())))
                : COUNTED.get(name);
        return Optional.ofNullable(type)
                .map(known -> Quantity.of(cache.list(known, namespace).size()));
    }

    private Quantity storage(String namespace) {
        Quantity sum = Quantity.ZERO;
        for (StoredObject claim : cache.list(Kinds.PERSISTENT_VOLUME_CLAIMS, namespace)) {
            String storage = claim.tree()
                    .path("spec")
                    .path("resources")
                    .path("requests")
                    .path("storage")
                    .asString("0");
            sum = Quantity.parse(storage).add(sum);
        }
        return sum;
    }

    private long services(String name, String namespace) {
        List<StoredObject> services = cache.list(Kinds.SERVICES, namespace);
        long count = 0;
        for (StoredObject stored : services) {
            JsonNode spec = stored.tree().path("spec");
            String type = spec.path("type").asString("");
            if (name.equals("services.loadbalancers")) {
                count += type.equals("LoadBalancer") ? 1 : 0;
            } else {
                count += spec.path("ports")
                        .valueStream()
                        .filter(port -> port.path("nodePort").asInt(0) > 0)
                        .count();
            }
        }
        return count;
    }
}
