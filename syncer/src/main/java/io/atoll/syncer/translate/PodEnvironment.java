package io.atoll.syncer.translate;

import io.atoll.model.Json;
import io.atoll.syncer.translate.PodTranslator.ApiAddress;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The environment of a pod's containers, and the downward API: what a pod reads of itself is the tenant's. Immutable. */
final class PodEnvironment {
    private static final Pattern LABEL_PATH = Pattern.compile("metadata\\.labels\\['([^']*)'\\]");
    private static final Map<String, String> FIELDS = Map.of(
            "metadata.name", annotation(Marks.POD_NAME),
            "metadata.namespace", annotation(Marks.POD_NAMESPACE),
            "metadata.uid", annotation(Marks.POD_UID),
            "metadata.labels", annotation(Marks.POD_LABELS),
            "metadata.annotations", annotation(Marks.POD_ANNOTATIONS),
            "spec.serviceAccountName", annotation(Marks.SERVICE_ACCOUNT));

    private final HostNames names;
    private final HostLabels labels;

    PodEnvironment(HostNames names, HostLabels labels) {
        this.names = names;
        this.labels = labels;
    }

    void translate(String namespace, ObjectNode spec, Optional<ApiAddress> api) {
        for (ObjectNode container : PodSpecs.containers(spec)) {
            container(namespace, container, api);
        }
    }

    void container(String namespace, ObjectNode container, Optional<ApiAddress> api) {
        for (ObjectNode source : PodSpecs.objects(container, "envFrom")) {
            rename(source.path("configMapRef"), namespace);
            rename(source.path("secretRef"), namespace);
        }
        for (ObjectNode variable : PodSpecs.objects(container, "env")) {
            JsonNode from = variable.path("valueFrom");
            rename(from.path("configMapKeyRef"), namespace);
            rename(from.path("secretKeyRef"), namespace);
            field(from.path("fieldRef"), labels);
        }
        api.ifPresent(address -> prepend(container, variables(address)));
    }

    /** Whether a volume shows all of the pod's annotations: then the host pod carries a copy of the tenant's. */
    static boolean readsAnnotations(JsonNode pod) {
        return pod.toString().contains("\"fieldPath\":\"metadata.annotations\"");
    }

    /** Redirects the items of a downward API volume. */
    static void fields(JsonNode downward, HostLabels labels) {
        for (ObjectNode item : PodSpecs.objects(downward, "items")) {
            field(item.path("fieldRef"), labels);
        }
    }

    private static void field(JsonNode reference, HostLabels labels) {
        if (!(reference instanceof ObjectNode object)) {
            return;
        }
        String path = object.path("fieldPath").asString("");
        String redirected = FIELDS.get(path);
        Matcher label = LABEL_PATH.matcher(path);
        if (redirected != null) {
            object.put("fieldPath", redirected);
        } else if (label.matches()) {
            object.put("fieldPath", "metadata.labels['" + labels.key(label.group(1)) + "']");
        }
    }

    private static String annotation(String key) {
        return "metadata.annotations['" + key + "']";
    }

    private void rename(JsonNode reference, String namespace) {
        if (reference instanceof ObjectNode object
                && !object.path("name").asString("").isEmpty()) {
            String name = object.path("name").stringValue();
            boolean root = name.equals(PodReferences.ROOT_CERTIFICATE);
            object.put("name", root ? names.rootCertificate() : names.of(namespace, name));
        }
    }

    /** Before the container's own, so that those may refer to them; what the container sets itself stays. */
    private static void prepend(ObjectNode container, Map<String, String> variables) {
        ArrayNode own = PodSpecs.list(container, "env");
        Set<String> set = new HashSet<>();
        own.forEach(variable -> set.add(variable.path("name").asString("")));
        ArrayNode all = Json.array();
        variables.forEach((name, value) -> {
            if (!set.contains(name)) {
                all.addObject().put("name", name).put("value", value);
            }
        });
        own.forEach(all::add);
        container.set("env", all);
    }

    private static Map<String, String> variables(ApiAddress api) {
        String port = Integer.toString(api.port());
        String host = api.host().indexOf(':') >= 0 ? "[" + api.host() + "]" : api.host();
        String url = "tcp://" + host + ":" + port;
        String prefix = "KUBERNETES_PORT_" + port + "_TCP";
        return new TreeMap<>(Map.of(
                "KUBERNETES_SERVICE_HOST",
                api.host(),
                "KUBERNETES_SERVICE_PORT",
                port,
                "KUBERNETES_SERVICE_PORT_HTTPS",
                port,
                "KUBERNETES_PORT",
                url,
                prefix,
                url,
                prefix + "_PROTO",
                "tcp",
                prefix + "_PORT",
                port,
                prefix + "_ADDR",
                api.host()));
    }
}
