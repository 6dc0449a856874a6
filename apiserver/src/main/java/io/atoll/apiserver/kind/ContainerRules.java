package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.model.Quantity;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What a container may hold. Stateless. */
final class ContainerRules {
    private static final String[] HANDLERS = {"exec", "httpGet", "tcpSocket", "grpc"};

    private ContainerRules() {}

    static void validate(String path, JsonNode container, Set<String> volumes, Mistakes mistakes) {
        String image = container.path("image").asString("");
        if (image.isEmpty()) {
            mistakes.required(path + ".image", "");
        } else if (!image.equals(image.strip())) {
            mistakes.invalid(path + ".image", image, "must not have leading or trailing whitespace");
        }
        PodSpecRules.oneOf(
                path + ".imagePullPolicy",
                container.path("imagePullPolicy"),
                mistakes,
                "Always",
                "IfNotPresent",
                "Never");
        ports(path + ".ports", container.path("ports"), mistakes);
        environment(path + ".env", container.path("env"), mistakes);
        mounts(path + ".volumeMounts", container.path("volumeMounts"), volumes, mistakes);
        resources(path + ".resources", container.path("resources"), mistakes);
        for (String probe : new String[] {"livenessProbe", "readinessProbe", "startupProbe"}) {
            probe(path + "." + probe, container.path(probe), mistakes);
        }
    }

    static void port(String path, JsonNode port, Mistakes mistakes) {
        if (port.longValue() < 1 || port.longValue() > 65535) {
            mistakes.invalid(path, port, "must be between 1 and 65535, inclusive");
        }
    }

    private static void ports(String path, JsonNode ports, Mistakes mistakes) {
        Set<String> names = new HashSet<>();
        int at = 0;
        for (JsonNode port : ports) {
            String where = path + "[" + at++ + "]";
            String name = port.path("name").asString("");
            if (!name.isEmpty()) {
                portName(where + ".name", name, mistakes);
                if (!names.add(name)) {
                    mistakes.duplicate(where + ".name", name);
                }
            }
            if (!port.path("containerPort").isNumber()
                    || port.path("containerPort").longValue() == 0) {
                mistakes.required(where + ".containerPort", "");
            } else {
                port(where + ".containerPort", port.path("containerPort"), mistakes);
            }
            if (port.path("hostPort").asLong(0) != 0) {
                port(where + ".hostPort", port.path("hostPort"), mistakes);
            }
            PodSpecRules.oneOf(where + ".protocol", port.path("protocol"), mistakes, "SCTP", "TCP", "UDP");
        }
    }

    /** A port's name: at most 15 lower case letters, digits and single dashes, with a letter in it. */
    static void portName(String path, String name, Mistakes mistakes) {
        if (name.length() > 15) {
            mistakes.invalid(path, name, "must be no more than 15 characters");
        }
        if (!name.matches("[a-z0-9-]*")) {
            mistakes.invalid(path, name, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (!name.matches(".*[a-z].*")) {
            mistakes.invalid(path, name, "must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            mistakes.invalid(path, name, "must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            mistakes.invalid(path, name, "must not begin or end with a hyphen");
        }
    }

    private static void environment(String path, JsonNode variables, Mistakes mistakes) {
        int at = 0;
        for (JsonNode variable : variables) {
            String where = path + "[" + at++ + "]";
            String name = variable.path("name").asString("");
            if (name.isEmpty()) {
                mistakes.required(where + ".name", "");
            } else if (name.contains("=")) {
                mistakes.invalid(
                        where + ".name",
                        name,
                        "a valid environment variable name must consist only of printable ASCII characters other than"
                                + " '='");
            }
            JsonNode from = variable.path("valueFrom");
            if (from.isObject()) {
                if (!variable.path("value").asString("").isEmpty()) {
                    mistakes.invalid(where + ".valueFrom", "", "may not be specified when `value` is not empty");
                } else if (from.isEmpty()) {
                    mistakes.invalid(
                            where + ".valueFrom",
                            "",
                            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                                    + " `fileKeyRef`");
                }
            }
        }
    }

    private static void mounts(String path, JsonNode mounts, Set<String> volumes, Mistakes mistakes) {
        Set<String> paths = new HashSet<>();
        int at = 0;
        for (JsonNode mount : mounts) {
            String where = path + "[" + at++ + "]";
            String name = mount.path("name").asString("");
            if (name.isEmpty()) {
                mistakes.required(where + ".name", "");
            } else if (!volumes.contains(name)) {
                mistakes.notFound(where + ".name", name);
            }
            String target = mount.path("mountPath").asString("");
            if (target.isEmpty()) {
                mistakes.required(where + ".mountPath", "");
            } else if (!paths.add(target)) {
                mistakes.invalid(where + ".mountPath", target, "must be unique");
            }
        }
    }

    private static void resources(String path, JsonNode resources, Mistakes mistakes) {
        JsonNode limits = resources.path("limits");
        for (String field : new String[] {"limits", "requests"}) {
            for (Map.Entry<String, JsonNode> entry : resources.path(field).properties()) {
                String where = path + "." + field;
                String text = entry.getValue().asString("");
                if (!Quantity.isValid(text)) {
                    continue;
                }
                Quantity amount = Quantity.parse(text);
                if (amount.isNegative()) {
                    mistakes.invalid(where + "[" + entry.getKey() + "]", text, "must be greater than or equal to 0");
                }
                if (isExtended(entry.getKey()) && amount.milliValue() % 1000 != 0) {
                    mistakes.invalid(where, text, "must be an integer");
                }
            }
        }
        for (Map.Entry<String, JsonNode> request : resources.path("requests").properties()) {
            String name = request.getKey();
            String text = request.getValue().asString("");
            JsonNode limit = limits.path(name);
            if (isExtended(name) && !limit.isString()) {
                mistakes.required(path + ".limits", "Limit must be set for non overcommitable resources");
            } else if (limit.isString() && Quantity.isValid(text) && Quantity.isValid(limit.stringValue())) {
                int order = Quantity.parse(text).compareTo(Quantity.parse(limit.stringValue()));
                if (isExtended(name) && order != 0) {
                    mistakes.invalid(
                            path + ".requests", text, "must be equal to " + name + " limit of " + limit.stringValue());
                } else if (order > 0) {
                    mistakes.invalid(
                            path + ".requests",
                            text,
                            "must be less than or equal to " + name + " limit of " + limit.stringValue());
                }
            }
        }
    }

    private static boolean isExtended(String resource) {
        return (resource.contains("/") && !resource.contains("kubernetes.io/")) || resource.startsWith("hugepages-");
    }

    private static void probe(String path, JsonNode probe, Mistakes mistakes) {
        if (!probe.isObject()) {
            return;
        }
        int handlers = 0;
        for (String handler : HANDLERS) {
            handlers += probe.has(handler) ? 1 : 0;
        }
        if (handlers == 0) {
            mistakes.required(path, "must specify a handler type");
        } else if (handlers > 1) {
            mistakes.forbidden(path, "may not specify more than 1 handler type");
        }
        for (String field : new String[] {
            "initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"
        }) {
            if (probe.path(field).asLong(0) < 0) {
                mistakes.invalid(path + "." + field, probe.path(field), "must be greater than or equal to 0");
            }
        }
    }
}
