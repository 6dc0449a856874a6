package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.model.Names;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Ingresses: rules must lead somewhere. */
final class IngressStrategy implements Strategy {
    private static final Traits TRAITS = Traits.of(Trait.GENERATION);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public void validate(ObjectNode ingress, Mistakes mistakes) {
        JsonNode spec = ingress.path("spec");
        if (spec.path("rules").isEmpty() && !spec.path("defaultBackend").isObject()) {
            mistakes.invalid("spec", spec, "either `defaultBackend` or `rules` must be specified");
        }
        if (spec.path("defaultBackend").isObject()) {
            backend("spec.defaultBackend", spec.path("defaultBackend"), mistakes);
        }
        int at = 0;
        for (JsonNode rule : spec.path("rules")) {
            String path = "spec.rules[" + at++ + "]";
            String host = rule.path("host").asString("");
            if (!host.isEmpty()) {
                String bare = host.startsWith("*.") ? host.substring(2) : host;
                Names.dnsSubdomainErrors(bare).forEach(error -> mistakes.invalid(path + ".host", host, error));
            }
            paths(path + ".http.paths", rule.path("http"), mistakes);
        }
    }

    private static void paths(String path, JsonNode http, Mistakes mistakes) {
        if (http.isObject() && http.path("paths").isEmpty()) {
            mistakes.required(path, "");
        }
        int at = 0;
        for (JsonNode entry : http.path("paths")) {
            String where = path + "[" + at++ + "]";
            String type = entry.path("pathType").asString("");
            if (type.isEmpty()) {
                mistakes.required(where + ".pathType", "pathType must be specified");
            } else {
                PodSpecRules.oneOf(
                        where + ".pathType",
                        entry.path("pathType"),
                        mistakes,
                        "Exact",
                        "ImplementationSpecific",
                        "Prefix");
            }
            String value = entry.path("path").asString("");
            if (!type.equals("ImplementationSpecific") && !value.startsWith("/")) {
                mistakes.invalid(where + ".path", value, "must be an absolute path");
            }
            backend(where + ".backend", entry.path("backend"), mistakes);
        }
    }

    private static void backend(String path, JsonNode backend, Mistakes mistakes) {
        JsonNode service = backend.path("service");
        if (!service.isObject()) {
            if (!backend.path("resource").isObject()) {
                mistakes.required(path, "resource or service backend is required");
            }
            return;
        }
        if (service.path("name").asString("").isEmpty()) {
            mistakes.required(path + ".service.name", "");
        }
        JsonNode port = service.path("port");
        if (port.path("name").asString("").isEmpty() && port.path("number").asInt(0) == 0) {
            mistakes.required(path, "port name or number is required");
        }
    }
}
