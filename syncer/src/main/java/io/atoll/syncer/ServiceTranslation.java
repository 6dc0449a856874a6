package io.atoll.syncer;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.ObjectKey;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Services with a selector. The host picks addresses and node ports; external IPs would let a tenant take the traffic of
 * others and are dropped.
 */
final class ServiceTranslation implements Translation {
    private static final List<String> HOSTS_OWN =
            List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort", "externalIPs");
    private static final List<String> KEPT_ON_UPDATE =
            List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort");

    private final SyncContext context;

    ServiceTranslation(SyncContext context) {
        this.context = context;
    }

    @Override
    public ResourceType type() {
        return BuiltInTypes.SERVICES;
    }

    @Override
    public String hostName(ObjectKey key) {
        return context.names().of(key.namespace(), key.name());
    }

    @Override
    public Optional<ObjectNode> toHost(ObjectNode tenantObject) {
        ObjectKey key = new ObjectKey(Metadata.namespace(tenantObject), Metadata.name(tenantObject));
        boolean ownApi = key.equals(new ObjectKey("default", "kubernetes"));
        JsonNode selector = tenantObject.path("spec").path("selector");
        // A name of the host's would be reachable under the tenant's, and a selector means nothing beside it.
        boolean named = tenantObject.path("spec").path("type").asString("").equals("ExternalName");
        if (!context.config().syncServices() || ownApi || named || selector.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode host = context.objects().head(tenantObject, hostName(key));
        ObjectNode spec = ((ObjectNode) tenantObject.path("spec")).deepCopy();
        boolean headless = spec.path("clusterIP").asString("").equals("None");
        spec.remove(HOSTS_OWN);
        if (headless) {
            spec.put("clusterIP", "None");
        }
        spec.set("selector", context.objects().labels().mapSelector(key.namespace(), selector));
        for (JsonNode port : spec.path("ports")) {
            ((ObjectNode) port).remove("nodePort");
        }
        host.set("spec", spec);
        return Optional.of(host);
    }

    @Override
    public boolean update(ObjectNode hostObject, ObjectNode wanted) {
        JsonNode present = hostObject.path("spec");
        ObjectNode spec = ((ObjectNode) wanted.path("spec")).deepCopy();
        boolean headless = spec.path("clusterIP").asString("").equals("None");
        if (headless != present.path("clusterIP").asString("").equals("None")) {
            return false;
        }
        for (String field : KEPT_ON_UPDATE) {
            if (present.has(field)) {
                spec.set(field, present.path(field).deepCopy());
            }
        }
        for (JsonNode port : spec.path("ports")) {
            for (JsonNode known : present.path("ports")) {
                if (known.path("port").equals(port.path("port"))
                        && known.path("protocol").equals(port.path("protocol"))
                        && known.has("nodePort")) {
                    ((ObjectNode) port).set("nodePort", known.path("nodePort"));
                }
            }
        }
        hostObject.set("spec", spec);
        return true;
    }

    @Override
    public void toTenant(ObjectNode tenantObject, ObjectNode hostObject) {
        JsonNode balancer = hostObject.path("status").path("loadBalancer");
        if (balancer.isObject()
                && !balancer.isEmpty()
                && !Json.same(balancer, tenantObject.path("status").path("loadBalancer"))) {
            Json.child(tenantObject, "status").set("loadBalancer", balancer.deepCopy());
            context.tenant().updateStatus(type(), tenantObject);
        }
    }
}
