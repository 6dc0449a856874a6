package io.atoll.apiserver.kind;

import io.atoll.apiserver.registry.Mistakes;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Write;
import io.atoll.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * ConfigMaps and Secrets: keyed data that may be frozen.
 *
 * @param secret whether it is a Secret
 */
record DataStrategy(boolean secret) implements Strategy {
    private static final int DATA_BYTES_MAX = 1024 * 1024;
    private static final Map<String, List<String>> REQUIRED_KEYS = Map.of(
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"));

    @Override
    public void applyDefaults(ObjectNode object) {
        if (!secret) {
            return;
        }
        JsonNode plain = object.remove("stringData");
        if (plain != null && !plain.isEmpty()) {
            ObjectNode data = Json.child(object, "data");
            plain.properties()
                    .forEach(entry -> data.put(
                            entry.getKey(),
                            Base64.getEncoder()
                                    .encodeToString(
                                            entry.getValue().asString("").getBytes(StandardCharsets.UTF_8))));
        }
        if (!object.has("type")) {
            object.put("type", "Opaque");
        }
    }

    @Override
    public void validate(ObjectNode object, Mistakes mistakes) {
        long size = 0;
        Set<String> keys = new HashSet<>();
        for (String field : new String[] {"data", "binaryData"}) {
            for (Map.Entry<String, JsonNode> entry : object.path(field).properties()) {
                key(field, entry.getKey(), mistakes);
                if (!keys.add(entry.getKey())) {
                    mistakes.invalid(
                            field + "[" + entry.getKey() + "]", entry.getKey(), "duplicate of key present in data");
                }
                size += entry.getValue().asString("").length();
            }
        }
        if (size > DATA_BYTES_MAX * (secret ? 4L / 3 : 1L)) {
            mistakes.tooLong("", DATA_BYTES_MAX);
        }
        if (secret) {
            for (String key : REQUIRED_KEYS.getOrDefault(object.path("type").asString(""), List.of())) {
                if (!object.path("data").has(key)) {
                    mistakes.required("data[" + key + "]", "");
                }
            }
        }
    }

    @Override
    public void validateUpdate(Write write, ObjectNode object, ObjectNode before, Mistakes mistakes) {
        if (secret && !Json.same(object.path("type"), before.path("type"))) {
            mistakes.immutable("type", object.path("type"));
        }
        if (!before.path("immutable").asBoolean(false)) {
            return;
        }
        if (!object.path("immutable").asBoolean(false)) {
            mistakes.forbidden("immutable", "field is immutable when `immutable` is set");
        }
        for (String field : new String[] {"data", "binaryData"}) {
            if (!Json.same(object.path(field), before.path(field))) {
                mistakes.forbidden(field, "field is immutable when `immutable` is set");
            }
        }
    }

    private static void key(String field, String key, Mistakes mistakes) {
        String where = field + "[" + key + "]";
        if (key.length() > 253) {
            mistakes.invalid(where, key, "must be no more than 253 characters");
        } else if (!key.matches("[-._a-zA-Z0-9]+")) {
            mistakes.invalid(
                    where,
                    key,
                    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or"
                            + " 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')");
        } else if (key.equals(".") || key.equals("..") || key.startsWith("..")) {
            mistakes.invalid(where, key, "must not start with '..'");
        }
    }
}
