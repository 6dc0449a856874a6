package io.atoll.apiserver.quota;

import io.atoll.model.GroupResource;
import io.atoll.model.Quantity;
import io.atoll.model.pod.PodQuota;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What one object uses of the resources that quotas can name. Stateless. */
final class Usage {
    private static final String STORAGE_CLASS_SUFFIX = ".storageclass.storage.k8s.io/";
    private static final Set<String> COUNTED_BY_NAME = Set.of(
            "configmaps", "secrets", "replicationcontrollers", "resourcequotas", "services", "persistentvolumeclaims");

    private Usage() {}

    static Amounts of(GroupResource resource, JsonNode object) {
        Amounts used = new Amounts();
        used.put("count/" + resource, Quantity.of(1));
        if (!resource.group().isEmpty()) {
            return used;
        }
        if (COUNTED_BY_NAME.contains(resource.resource())) {
            used.put(resource.resource(), Quantity.of(1));
        }
        switch (resource.resource()) {
            case "pods" -> PodQuota.usage(object).forEach(used::put);
            case "services" -> addService(object, used);
            case "persistentvolumeclaims" -> addClaim(object, used);
            default -> {}
        }
        return used;
    }

    private static void addService(JsonNode service, Amounts used) {
        String type = service.path("spec").path("type").asString("ClusterIP");
        int ports = service.path("spec").path("ports").size();
        boolean allocates =
                service.path("spec").path("allocateLoadBalancerNodePorts").asBoolean(true);
        if (type.equals("NodePort") || (type.equals("LoadBalancer") && allocates)) {
            used.put("services.nodeports", Quantity.of(ports));
        }
        if (type.equals("LoadBalancer")) {
            used.put("services.loadbalancers", Quantity.of(1));
        }
    }

    private static void addClaim(JsonNode claim, Amounts used) {
        JsonNode spec = claim.path("spec");
        String text = spec.path("resources").path("requests").path("storage").asString("");
        Quantity storage = Quantity.isValid(text) ? Quantity.parse(text) : Quantity.ZERO;
        used.put("requests.storage", storage);
        String storageClass = spec.path("storageClassName").asString("");
        if (!storageClass.isEmpty()) {
            used.put(storageClass + STORAGE_CLASS_SUFFIX + "requests.storage", storage);
            used.put(storageClass + STORAGE_CLASS_SUFFIX + "persistentvolumeclaims", Quantity.of(1));
        }
    }

    /** Whether a quota of these scopes counts an object: only pods have scopes. */
    static boolean inScope(JsonNode quotaSpec, GroupResource resource, JsonNode object) {
        return !PodQuota.scoped(quotaSpec)
                || (resource.group().isEmpty()
                        && resource.resource().equals("pods")
                        && PodQuota.counts(quotaSpec, object));
    }
}
