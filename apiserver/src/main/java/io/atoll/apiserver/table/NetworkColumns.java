package io.atoll.apiserver.table;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

import static io.atoll.apiserver.table.Column.age;
import static io.atoll.apiserver.table.Column.named;
import static io.atoll.apiserver.table.Column.text;

/** Columns of services, endpoints, ingresses and network policies. */
final class NetworkColumns {
    private static final int ENDPOINTS_SHOWN_MAX = 3;

    private NetworkColumns() {}

    static void addTo(BuiltInColumns.Registry registry) {
        registry.add(
                "/Service",
                named(),
                text("Type", "spec.type"),
                text("Cluster-IP", "@spec.clusterIP", NetworkColumns::clusterIp),
                text("External-IP", "@spec.externalIPs", NetworkColumns::externalIp),
                text("Port(s)", "@spec.ports", NetworkColumns::servicePorts),
                age(),
                text("Selector", "@spec.selector", row -> row.labels("spec.selector"))
                        .wide());
        registry.add("/Endpoints", named(), text("Endpoints", "@subsets", NetworkColumns::endpoints), age());
        registry.add(
                "discovery.k8s.io/EndpointSlice",
                named(),
                text("AddressType", "addressType"),
                text("Ports", "@ports", NetworkColumns::slicePorts),
                text("Endpoints", "@endpoints", NetworkColumns::sliceEndpoints),
                age());
        registry.add(
                "networking.k8s.io/Ingress",
                named(),
                text("Class", "spec.ingressClassName", Row.NONE, "@spec.ingressClassName"),
                text("Hosts", "Hosts that the rules match.", NetworkColumns::hosts),
                text("Address", "Where the load balancer takes requests.", row -> String.join(",", loadBalancer(row))),
                text(
                        "Ports",
                        "Ports that open: 443 too with TLS.",
                        row -> row.count("spec.tls") > 0 ? "80, 443" : "80"),
                age());
        registry.add(
                "networking.k8s.io/IngressClass",
                named(),
                text("Controller", "spec.controller"),
                text("Parameters", "@spec.parameters", NetworkColumns::ingressParameters),
                age());
        registry.add(
                "networking.k8s.io/NetworkPolicy",
                named(),
                text("Pod-Selector", "@spec.podSelector", row -> row.selector("spec.podSelector")),
                age());
        registry.add(
                "networking.k8s.io/ServiceCIDR",
                named(),
                text("CIDRs", "@spec.cidrs", row -> row.joined("spec.cidrs", "")),
                age());
        registry.add(
                "networking.k8s.io/IPAddress",
                named(),
                text("ParentRef", "@spec.parentRef", NetworkColumns::parentRef),
                age());
    }

    private static String clusterIp(Row row) {
        String first = Row.text(row.at("spec.clusterIPs").path(0));
        return first.isEmpty() ? row.textOr("spec.clusterIP", Row.NONE) : first;
    }

    private static String externalIp(Row row) {
        List<String> external = Row.strings(row.at("spec.externalIPs"));
        return switch (row.text("spec.type")) {
            case "ClusterIP", "NodePort" -> external.isEmpty() ? Row.NONE : String.join(",", external);
            case "LoadBalancer" -> {
                List<String> all = new ArrayList<>(loadBalancer(row));
                all.addAll(external);
                yield all.isEmpty() ? "<pending>" : String.join(",", all);
            }
            case "ExternalName" -> row.text("spec.externalName");
            default -> HumanDuration.UNKNOWN;
        };
    }

    private static List<String> loadBalancer(Row row) {
        TreeSet<String> addresses = new TreeSet<>();
        for (JsonNode ingress : row.at("status.loadBalancer.ingress")) {
            String ip = Row.text(ingress.path("ip"));
            String address = ip.isEmpty() ? Row.text(ingress.path("hostname")) : ip;
            if (!address.isEmpty()) {
                addresses.add(address);
            }
        }
        return List.copyOf(addresses);
    }

    private static String servicePorts(Row row) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : row.at("spec.ports")) {
            long nodePort = port.path("nodePort").asLong(0);
            ports.add(Row.text(port.path("port")) + (nodePort > 0 ? ":" + nodePort : "") + "/"
                    + Row.text(port.path("protocol")));
        }
        return ports.isEmpty() ? Row.NONE : String.join(",", ports);
    }

    private static String endpoints(Row row) {
        JsonNode subsets = row.at("subsets");
        if (subsets.isEmpty()) {
            return Row.NONE;
        }
        List<String> endpoints = new ArrayList<>();
        for (JsonNode subset : subsets) {
            JsonNode ports = subset.path("ports");
            if (ports.isEmpty()) {
                for (JsonNode address : subset.path("addresses")) {
                    endpoints.add(Row.text(address.path("ip")));
                }
            }
            for (JsonNode port : ports) {
                for (JsonNode address : subset.path("addresses")) {
                    endpoints.add(hostPort(Row.text(address.path("ip")), Row.text(port.path("port"))));
                }
            }
        }
        return Row.firstOf(endpoints, ENDPOINTS_SHOWN_MAX, "");
    }

    private static String hostPort(String host, String port) {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }

    private static String slicePorts(Row row) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : row.at("ports")) {
            String number = Row.text(port.path("port"));
            String name = Row.text(port.path("name"));
            ports.add(number.isEmpty() ? (port.has("name") ? name : "*") : number);
        }
        return Row.firstOf(ports, ENDPOINTS_SHOWN_MAX, Row.UNSET);
    }

    private static String sliceEndpoints(Row row) {
        List<String> addresses = new ArrayList<>();
        for (JsonNode endpoint : row.at("endpoints")) {
            addresses.addAll(Row.strings(endpoint.path("addresses")));
        }
        return Row.firstOf(addresses, ENDPOINTS_SHOWN_MAX, Row.UNSET);
    }

    private static String hosts(Row row) {
        List<String> hosts = new ArrayList<>();
        for (JsonNode rule : row.at("spec.rules")) {
            String host = Row.text(rule.path("host"));
            if (!host.isEmpty()) {
                hosts.add(host);
            }
        }
        return Row.firstOf(hosts, ENDPOINTS_SHOWN_MAX, "*");
    }

    private static String ingressParameters(Row row) {
        if (!row.has("spec.parameters")) {
            return Row.NONE;
        }
        String group = row.text("spec.parameters.apiGroup");
        return row.text("spec.parameters.kind") + (group.isEmpty() ? "" : "." + group) + "/"
                + row.text("spec.parameters.name");
    }

    private static String parentRef(Row row) {
        StringBuilder reference = new StringBuilder();
        for (String part : List.of("group", "resource", "namespace", "name")) {
            String text = row.text("spec.parentRef." + part);
            if (!text.isEmpty()) {
                reference.append(reference.isEmpty() ? "" : "/").append(text);
            }
        }
        return reference.isEmpty() ? Row.NONE : reference.toString();
    }
}
