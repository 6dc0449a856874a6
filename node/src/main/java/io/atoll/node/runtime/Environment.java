package io.atoll.node.runtime;

import io.atoll.client.Client;
import io.atoll.model.ResourceType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Works out the variables of a container, as the kubelet does. Any thread. */
final class Environment {
    /** Taken over from the agent: they stand for what an image would have set. No other variable of it leaks. */
    private static final List<String> FROM_MACHINE =
            List.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH");

    private static final String DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final Client client;
    private final Map<String, String> service;

    /** @param service variables that lead to the API server */
    Environment(Client client, Map<String, String> service) {
        this.client = client;
        this.service = Map.copyOf(service);
    }

    /**
     * All variables of a container, with references expanded.
     *
     * @param root where the container finds its mounts, for {@code ATOLL_ROOT}
     */
    Map<String, String> of(PodSite site, JsonNode container, Path root) throws SetupException {
        Map<String, String> result = new LinkedHashMap<>();
        result.put("PATH", DEFAULT_PATH);
        for (String name : FROM_MACHINE) {
            String value = System.getenv(name);
            if (value != null) {
                result.put(name, value);
            }
        }
        String hostname = site.pod().path("spec").path("hostname").asString("");
        result.put("HOSTNAME", hostname.isEmpty() ? site.name() : hostname);
        Map<String, String> own = new LinkedHashMap<>(service);
        own.put("ATOLL_ROOT", root.toString());
        for (JsonNode source : container.path("envFrom")) {
            addAll(site, source, own);
        }
        for (JsonNode variable : container.path("env")) {
            String name = variable.path("name").asString("");
            Optional<String> value = variable.has("valueFrom")
                    ? valueFrom(site, container, variable.path("valueFrom"))
                    : Optional.of(expand(variable.path("value").asString(""), own));
            value.ifPresent(text -> own.put(name, text));
        }
        result.putAll(own);
        List<String> devices = site.devices(container.path("name").asString(""));
        result.put("NVIDIA_VISIBLE_DEVICES", devices.isEmpty() ? "void" : String.join(",", devices));
        result.put("CUDA_VISIBLE_DEVICES", String.join(",", devices));
        result.keySet().removeIf(name -> name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0);
        result.replaceAll((_, value) -> value.replace("\0", ""));
        return result;
    }

    private void addAll(PodSite site, JsonNode source, Map<String, String> variables) throws SetupException {
        String prefix = source.path("prefix").asString("");
        boolean secret = source.has("secretRef");
        JsonNode reference = source.path(secret ? "secretRef" : "configMapRef");
        ResourceType type = secret ? HostTypes.SECRETS : HostTypes.CONFIG_MAPS;
        String name = reference.path("name").asString("");
        Optional<ObjectNode> object = client.find(type, site.namespace(), name);
        if (object.isEmpty()) {
            if (reference.path("optional").asBoolean(false)) {
                return;
            }
            throw missing(type, name);
        }
        Map<String, String> sorted = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : object.get().path("data").properties()) {
            sorted.put(prefix + entry.getKey(), text(secret, entry.getValue()));
        }
        variables.putAll(sorted);
    }

    private Optional<String> valueFrom(PodSite site, JsonNode container, JsonNode from) throws SetupException {
        if (from.has("fieldRef")) {
            return Optional.of(PodFields.field(
                    site, from.path("fieldRef").path("fieldPath").asString("")));
        }
        if (from.has("resourceFieldRef")) {
            return Optional.of(PodFields.resource(site, container, from.path("resourceFieldRef")));
        }
        boolean secret = from.has("secretKeyRef");
        JsonNode reference = from.path(secret ? "secretKeyRef" : "configMapKeyRef");
        if (reference.isMissingNode()) {
            throw new SetupException("CreateContainerConfigError", "this source of a variable is not supported");
        }
        ResourceType type = secret ? HostTypes.SECRETS : HostTypes.CONFIG_MAPS;
        String name = reference.path("name").asString("");
        String key = reference.path("key").asString("");
        boolean optional = reference.path("optional").asBoolean(false);
        Optional<ObjectNode> object = client.find(type, site.namespace(), name);
        if (object.isEmpty()) {
            if (optional) {
                return Optional.empty();
            }
            throw missing(type, name);
        }
        JsonNode value = object.get().path("data").path(key);
        if (value.isMissingNode()) {
            if (optional) {
                return Optional.empty();
            }
            throw new SetupException(
                    "CreateContainerConfigError",
                    "couldn't find key " + key + " in " + type.kind() + " " + site.namespace() + "/" + name);
        }
        return Optional.of(text(secret, value));
    }

    private static SetupException missing(ResourceType type, String name) {
        return new SetupException("CreateContainerConfigError", type.singular() + " \"" + name + "\" not found");
    }

    private static String text(boolean secret, JsonNode value) {
        return secret
                ? new String(Base64.getMimeDecoder().decode(value.asString("")), StandardCharsets.UTF_8)
                : value.asString("");
    }

    /** Replaces {@code $(NAME)} where the name is known; {@code $$} stands for one dollar sign. */
    static String expand(String text, Map<String, String> variables) {
        StringBuilder out = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '$' && i + 1 < text.length()) {
                char next = text.charAt(i + 1);
                int end = next == '(' ? text.indexOf(')', i + 2) : -1;
                if (next == '$') {
                    out.append('$');
                    i += 2;
                    continue;
                }
                if (end > 0) {
                    String value = variables.get(text.substring(i + 2, end));
                    out.append(value == null ? text.substring(i, end + 1) : value);
                    i = end + 1;
                    continue;
                }
            }
            out.append(c);
            i++;
        }
        return out.toString();
    }
}
