package io.atoll.node.runtime;

import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.model.Quantity;
import io.atoll.model.pod.PodContainers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Values of the downward API: fields of a pod and resources of its containers, for variables and files. Stateless. */
final class PodFields {
    private static final Pattern ENTRY = Pattern.compile("metadata\\.(labels|annotations)\\['([^']*)'\\]");

    private PodFields() {}

    static String field(PodSite site, String path) throws SetupException {
        ObjectNode pod = site.pod();
        Matcher entry = ENTRY.matcher(path);
        if (entry.matches()) {
            return entries(pod, entry.group(1)).getOrDefault(entry.group(2), "");
        }
        return switch (path) {
            case "metadata.name" -> site.name();
            case "metadata.namespace" -> site.namespace();
            case "metadata.uid" -> site.uid();
            case "metadata.labels" -> lines(Metadata.labels(pod));
            case "metadata.annotations" -> lines(Metadata.annotations(pod));
            case "spec.nodeName" -> site.node();
            case "spec.serviceAccountName" ->
                pod.path("spec").path("serviceAccountName").asString("");
            case "status.hostIP", "status.hostIPs" -> site.hostIp();
            case "status.podIP", "status.podIPs" -> site.podIp();
            default -> throw new SetupException("CreateContainerConfigError", "unsupported fieldPath: " + path);
        };
    }

    /** A {@code resourceFieldRef}; the container is the one that it names, else the given one. */
    static String resource(PodSite site, JsonNode container, JsonNode reference) throws SetupException {
        JsonNode subject = container;
        String named = reference.path("containerName").asString("");
        if (!named.isEmpty()) {
            subject = container(site.pod(), named);
        }
        String[] path = reference.path("resource").asString("").split("\\.", 2);
        if (path.length != 2 || !(path[0].equals("limits") || path[0].equals("requests"))) {
            throw new SetupException(
                    "CreateContainerConfigError",
                    "unsupported container resource: "
                            + reference.path("resource").asString(""));
        }
        String value = subject.path("resources").path(path[0]).path(path[1]).asString("");
        if (value.isEmpty() && path[0].equals("limits")) {
            value = site.nodeAllocatable().getOrDefault(path[1], "0");
        }
        String divisor = reference.path("divisor").asString("");
        try {
            BigDecimal amount = Quantity.parse(value.isEmpty() ? "0" : value).decimal();
            BigDecimal unit = divisor.isEmpty() || divisor.equals("0")
                    ? BigDecimal.ONE
                    : Quantity.parse(divisor).decimal();
            return amount.divide(unit, 0, RoundingMode.CEILING).toPlainString();
        } catch (ApiException | ArithmeticException e) {
            throw new SetupException("CreateContainerConfigError", String.valueOf(e.getMessage()));
        }
    }

    private static JsonNode container(ObjectNode pod, String name) throws SetupException {
        return PodContainers.find(pod, name)
                .orElseThrow(
                        () -> new SetupException("CreateContainerConfigError", "container " + name + " not found"));
    }

    private static Map<String, String> entries(ObjectNode pod, String kind) {
        return kind.equals("labels") ? Metadata.labels(pod) : Metadata.annotations(pod);
    }

    private static String lines(Map<String, String> entries) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(entries).forEach((key, value) -> {
            String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            text.append(text.isEmpty() ? "" : "\n")
                    .append(key)
                    .append("=\"")
                    .append(escaped)
                    .append('"');
        });
        return text.toString();
    }
}
