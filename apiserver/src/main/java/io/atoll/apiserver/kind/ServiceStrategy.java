package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.NameRule;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Json;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Services: addresses and node ports come from the cluster's ranges. */
final class ServiceStrategy implements Strategy {
    private static final Traits TRAITS =
            Traits.of(Trait.RETURNS_DELETED, Trait.STATUS_CHANGES_METADATA).named(NameRule.SERVICE);
    private static final String NONE = "None";

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void applyDefaults(ObjectNode service) {
        if (!(service.get("spec") instanceof ObjectNode spec)) {
            return;
        }
        String type = spec.path("type").asString("ClusterIP");
        for (JsonNode node : spec.path("ports")) {
            if (node instanceof ObjectNode port) {
                if (!port.has("protocol")) {
                    port.put("protocol", "TCP");
                }
                JsonNode target = port.path("targetPort");
                boolean unset = target.isString() ? target.stringValue().isEmpty() : target.asInt(0) == 0;
                if (unset) {
                    port.set("targetPort", port.path("port"));
                }
            }
        }
        if (type.equals("ExternalName")) {
            return;
        }
        if (!spec.has("internalTrafficPolicy")) {
            spec.put("internalTrafficPolicy", "Cluster");
        }
        boolean external = type.equals("NodePort") || type.equals("LoadBalancer");
        if (external && !spec.has("externalTrafficPolicy")) {
            spec.put("externalTrafficPolicy", "Cluster");
        }
        if (type.equals("LoadBalancer") && !spec.has("allocateLoadBalancerNodePorts")) {
            spec.put("allocateLoadBalancerNodePorts", true);
        }
        if (spec.path("sessionAffinity").asString("").equals("ClientIP") && !spec.has("sessionAffinityConfig")) {
            spec.putObject("sessionAffinityConfig").putObject("clientIP").put("timeoutSeconds", 10800);
        }
    }

    @Override
    public void prepareCreate(Write write, ObjectNode service) {
        service.putObject("status").putObject("loadBalancer");
        assign(write, Json.child(service, "spec"));
    }

    @Override
    public void prepareUpdate(Write write, ObjectNode service, ObjectNode before) {
        ObjectNode spec = Json.child(service, "spec");
        JsonNode old = before.path("spec");
        String type = spec.path("type").asString("");
        if (type.equals("ExternalName")) {
            for (String field : new String[] {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
                if (Json.same(spec.path(field), old.path(field))) {
                    spec.remove(field);
                }
            }
            return;
        }
        for (String field : new String[] {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
            if (!spec.has(field) && old.has(field)) {
                spec.set(field, old.path(field));
            }
        }
        boolean external = type.equals("NodePort") || type.equals("LoadBalancer");
        for (JsonNode node : spec.path("ports")) {
            if (!(node instanceof ObjectNode port)) {
                continue;
            }
            if (external) {
                keepNodePort(port, old.path("ports"));
            } else {
                port.remove("nodePort");
            }
        }
        if (!external) {
            spec.remove("externalTrafficPolicy");
            spec.remove("allocateLoadBalancerNodePorts");
        }
        assign(write, spec);
    }

    private static void keepNodePort(ObjectNode port, JsonNode oldPorts) {
        for (JsonNode old : oldPorts) {
            boolean same = old.path("port").equals(port.path("port"))
                    && old.path("protocol").equals(port.path("protocol"));
            if (same && !port.has("nodePort") && old.has("nodePort")) {
                port.set("nodePort", old.path("nodePort"));
            }
        }
    }

    private static void assign(Write write, ObjectNode spec) {
        String type = spec.path("type").asString("ClusterIP");
        if (type.equals("ExternalName")) {
            return;
        }
        String address = spec.path("clusterIP").asString("");
        if (address.isEmpty() && spec.path("clusterIPs").size() > 0) {
            address = spec.path("clusterIPs").get(0).asString("");
        }
        if (address.isEmpty()) {
            address = write.dryRun() ? "" : write.registry().addresses().nextAddress();
        } else if (!address.equals(NONE)) {
            write.registry().addresses().reserve(address);
        }
        if (!address.isEmpty()) {
            spec.put("clusterIP", address);
            ArrayNode all = spec.putArray("clusterIPs");
            all.add(address);
        }
        if (!spec.has("ipFamilies")) {
            spec.putArray("ipFamilies").add(address.contains(":") ? "IPv6" : "IPv4");
        }
        if (!spec.has("ipFamilyPolicy")) {
            spec.put("ipFamilyPolicy", "SingleStack");
        }
        boolean external = type.equals("NodePort")
                || (type.equals("LoadBalancer")
                        && spec.path("allocateLoadBalancerNodePorts").asBoolean(true));
        if (external && !write.dryRun()) {
            for (JsonNode port : spec.path("ports")) {
                if (port instanceof ObjectNode object && object.path("nodePort").asInt(0) == 0) {
                    object.put("nodePort", write.registry().addresses().nextPort());
                }
            }
        }
    }

    @Override
    public void validate(ObjectNode service, Mistakes mistakes) {
        JsonNode spec = service.path("spec");
        String type = spec.path("type").asString("");
        PodSpecRules.oneOf(
                "spec.type", spec.path("type"), mistakes, "ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
        PodSpecRules.oneOf("spec.sessionAffinity", spec.path("sessionAffinity"), mistakes, "ClientIP", "None");
        boolean headless = spec.path("clusterIP").asString("").equals(NONE);
        if (spec.path("ports").isEmpty() && !type.equals("ExternalName") && !headless) {
            mistakes.required("spec.ports", "");
        }
        if (type.equals("ExternalName")
                && spec.path("externalName").asString("").isEmpty()) {
            mistakes.invalid(
                    "spec.externalName",
                    "",
                    "a lowercase RFC 1123 subdomain must consist of lower case"
                            + " alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character");
        }
        ports(spec.path("ports"), mistakes);
        io.atoll.apiserver.registry.MetadataRules.labels("spec.selector", spec.path("selector"), mistakes);
    }

    private static void ports(JsonNode ports, Mistakes mistakes) {
        Set<String> names = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        int at = 0;
        for (JsonNode port : ports) {
            String path = "spec.ports[" + at++ + "]";
            String name = port.path("name").asString("");
            if (name.isEmpty() && ports.size() > 1) {
                mistakes.required(path + ".name", "");
            } else if (!name.isEmpty()) {
                io.atoll.model.Names.dnsLabelErrors(name)
                        .forEach(error -> mistakes.invalid(path + ".name", name, error));
                if (!names.add(name)) {
                    mistakes.duplicate(path + ".name", name);
                }
            }
            ContainerRules.port(path + ".port", port.path("port"), mistakes);
            PodSpecRules.oneOf(path + ".protocol", port.path("protocol"), mistakes, "SCTP", "TCP", "UDP");
            JsonNode target = port.path("targetPort");
            if (target.isNumber()) {
                ContainerRules.port(path + ".targetPort", target, mistakes);
            } else if (target.isString()) {
                ContainerRules.portName(path + ".targetPort", target.stringValue(), mistakes);
            }
            if (!numbers.add(
                    port.path("protocol").asString("") + port.path("port").asInt(0))) {
                mistakes.duplicate(path, port);
            }
        }
    }

    @Override
    public void validateUpdate(Write write, ObjectNode service, ObjectNode before, Mistakes mistakes) {
        String old = before.path("spec").path("clusterIP").asString("");
        String now = service.path("spec").path("clusterIP").asString("");
        boolean wasExternalName = before.path("spec").path("type").asString("").equals("ExternalName");
        boolean isExternalName = service.path("spec").path("type").asString("").equals("ExternalName");
        if (!old.isEmpty() && !old.equals(now) && !wasExternalName && !isExternalName) {
            mistakes.invalid("spec.clusterIPs[0]", now, "may not change once set");
        }
    }
}
