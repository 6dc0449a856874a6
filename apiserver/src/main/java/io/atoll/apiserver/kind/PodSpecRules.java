package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.MetadataRules;
import io.atoll.apiserver.registry.Mistakes;
import io.atoll.model.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What a pod's spec, or a template's, may hold. Stateless. */
final class PodSpecRules {
    private PodSpecRules() {}

    static void validate(String path, JsonNode spec, Mistakes mistakes) {
        Set<String> volumes = volumes(path + ".volumes", spec.path("volumes"), mistakes);
        Set<String> names = new HashSet<>();
        if (spec.path("containers").isEmpty()) {
            mistakes.required(path + ".containers", "");
        }
        for (String field : new String[] {"containers", "initContainers", "ephemeralContainers"}) {
            int at = 0;
            for (JsonNode container : spec.path(field)) {
                String where = path + "." + field + "[" + at++ + "]";
                name(where + ".name", container.path("name").asString(""), names, mistakes);
                ContainerRules.validate(where, container, volumes, mistakes);
            }
        }
        oneOf(path + ".restartPolicy", spec.path("restartPolicy"), mistakes, "Always", "OnFailure", "Never");
        oneOf(
                path + ".dnsPolicy",
                spec.path("dnsPolicy"),
                mistakes,
                "ClusterFirstWithHostNet",
                "ClusterFirst",
                "Default",
                "None");
        if (spec.path("terminationGracePeriodSeconds").asLong(0) < 0) {
            mistakes.invalid(
                    path + ".terminationGracePeriodSeconds",
                    spec.path("terminationGracePeriodSeconds"),
                    "must be greater than or equal to 0");
        }
        JsonNode deadline = spec.path("activeDeadlineSeconds");
        if (deadline.isNumber() && (deadline.longValue() < 1 || deadline.longValue() > Integer.MAX_VALUE)) {
            mistakes.invalid(path + ".activeDeadlineSeconds", deadline, "must be between 1 and 2147483647, inclusive");
        }
        MetadataRules.labels(path + ".nodeSelector", spec.path("nodeSelector"), mistakes);
        subdomain(path + ".nodeName", spec.path("nodeName"), mistakes);
        subdomain(path + ".serviceAccountName", spec.path("serviceAccountName"), mistakes);
        subdomain(path + ".priorityClassName", spec.path("priorityClassName"), mistakes);
        label(path + ".hostname", spec.path("hostname"), mistakes);
        label(path + ".subdomain", spec.path("subdomain"), mistakes);
        tolerations(path + ".tolerations", spec.path("tolerations"), mistakes);
    }

    static void oneOf(String path, JsonNode value, Mistakes mistakes, String... supported) {
        if (value.isString() && !List.of(supported).contains(value.stringValue())) {
            mistakes.unsupported(path, value, List.of(supported));
        }
    }

    private static void name(String path, String name, Set<String> seen, Mistakes mistakes) {
        if (name.isEmpty()) {
            mistakes.required(path, "");
            return;
        }
        Names.dnsLabelErrors(name).forEach(error -> mistakes.invalid(path, name, error));
        if (!seen.add(name)) {
            mistakes.duplicate(path, name);
        }
    }

    private static Set<String> volumes(String path, JsonNode volumes, Mistakes mistakes) {
        Set<String> names = new HashSet<>();
        int at = 0;
        for (JsonNode volume : volumes) {
            String where = path + "[" + at++ + "]";
            name(where + ".name", volume.path("name").asString(""), names, mistakes);
            if (volume.size() < 2) {
                mistakes.required(where, "must specify a volume type");
            } else if (volume.size() > 2) {
                for (String type : volume.propertyNames().stream().skip(2).toList()) {
                    if (!type.equals("name")) {
                        mistakes.forbidden(where + "." + type, "may not specify more than 1 volume type");
                    }
                }
            }
            required(
                    where + ".persistentVolumeClaim.claimName",
                    volume.path("persistentVolumeClaim"),
                    "claimName",
                    mistakes);
            required(where + ".hostPath.path", volume.path("hostPath"), "path", mistakes);
            required(where + ".secret.secretName", volume.path("secret"), "secretName", mistakes);
            required(where + ".configMap.name", volume.path("configMap"), "name", mistakes);
        }
        return names;
    }

    private static void required(String path, JsonNode source, String field, Mistakes mistakes) {
        if (source.isObject() && source.path(field).asString("").isEmpty()) {
            mistakes.required(path, "");
        }
    }

    private static void tolerations(String path, JsonNode tolerations, Mistakes mistakes) {
        int at = 0;
        for (JsonNode toleration : tolerations) {
            String where = path + "[" + at++ + "]";
            String operator = toleration.path("operator").asString("");
            String key = toleration.path("key").asString("");
            if (key.isEmpty() && !operator.equals("Exists")) {
                mistakes.invalid(
                        where + ".operator",
                        operator,
                        "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
            }
            if (operator.equals("Exists")
                    && !toleration.path("value").asString("").isEmpty()) {
                mistakes.invalid(where + ".operator", toleration, "value must be empty when `operator` is 'Exists'");
            }
            oneOf(where + ".operator", toleration.path("operator"), mistakes, "Equal", "Exists");
            oneOf(
                    where + ".effect",
                    toleration.path("effect"),
                    mistakes,
                    "NoSchedule",
                    "PreferNoSchedule",
                    "NoExecute");
        }
    }

    private static void subdomain(String path, JsonNode value, Mistakes mistakes) {
        if (value.isString() && !value.stringValue().isEmpty()) {
            Names.dnsSubdomainErrors(value.stringValue()).forEach(error -> mistakes.invalid(path, value, error));
        }
    }

    private static void label(String path, JsonNode value, Mistakes mistakes) {
        if (value.isString() && !value.stringValue().isEmpty()) {
            Names.dnsLabelErrors(value.stringValue()).forEach(error -> mistakes.invalid(path, value, error));
        }
    }
}
