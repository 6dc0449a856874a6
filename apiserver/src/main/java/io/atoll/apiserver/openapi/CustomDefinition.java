package io.atoll.apiserver.openapi;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The definitions of a custom resource: its own schema with what every object has. */
final class CustomDefinition {
    private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    private static final String LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
    private static final String API_VERSION_TEXT =
            "The versioned schema of this representation of an object. Servers convert known schemas to the latest"
                    + " internal value, and may reject unknown ones.";
    private static final String KIND_TEXT =
            "The REST resource that this object represents, in CamelCase. Servers may infer it from the endpoint that"
                    + " the client submits requests to. Cannot be updated.";
    private static final String METADATA_TEXT = "Standard object's metadata.";

    /** Keywords that version 2 does not have; clients of version 2 refuse documents with some of them. */
    private static final Set<String> NOT_IN_V2 =
            Set.of("oneOf", "anyOf", "allOf", "not", "nullable", "x-kubernetes-validations", "default", "example");

    private CustomDefinition() {}

    /** {@code com.example.stable.v1.CronTab} for {@code stable.example.com/v1 CronTab}. */
    static String name(GroupVersionKind kind) {
        List<String> parts =
                new ArrayList<>(List.of(kind.group().split("\\.", -1)).reversed());
        parts.add(kind.version());
        parts.add(kind.kind());
        return String.join(".", parts);
    }

    static ObjectNode object(GroupVersionKind kind, JsonNode schema, SchemaWriter writer, Dialect dialect) {
        ObjectNode definition;
        if (schema instanceof ObjectNode object && !preservesUnknown(object, dialect)) {
            definition = dialect == Dialect.V2 ? inV2(object) : object.deepCopy();
        } else {
            definition = Json.object();
        }
        definition.put("type", "object");
        ObjectNode properties = Json.child(definition, "properties");
        properties.set("apiVersion", string(API_VERSION_TEXT));
        properties.set("kind", string(KIND_TEXT));
        properties.set("metadata", described(writer.reference(OBJECT_META), METADATA_TEXT, dialect));
        putKind(definition, kind);
        return definition;
    }

    static ObjectNode list(GroupVersionKind kind, SchemaWriter writer, Dialect dialect) {
        ObjectNode definition = Json.object();
        definition.put("description", kind.kind() + "List is a list of " + kind.kind());
        definition.put("type", "object");
        definition.putArray("required").add("items");
        ObjectNode properties = definition.putObject("properties");
        properties.set("apiVersion", string(API_VERSION_TEXT));
        ObjectNode items = properties.putObject("items");
        items.put("type", "array").put("description", "The objects.");
        items.set("items", writer.reference(name(kind)));
        properties.set("kind", string(KIND_TEXT));
        properties.set("metadata", described(writer.reference(LIST_META), "Standard list metadata.", dialect));
        putKind(definition, new GroupVersionKind(kind.group(), kind.version(), kind.kind() + "List"));
        return definition;
    }

    static void putKind(ObjectNode definition, GroupVersionKind kind) {
        ArrayNode kinds = definition.get("x-kubernetes-group-version-kind") instanceof ArrayNode present
                ? present
                : definition.putArray("x-kubernetes-group-version-kind");
        kinds.add(kind(kind));
    }

    static ObjectNode kind(GroupVersionKind kind) {
        return Json.object().put("group", kind.group()).put("kind", kind.kind()).put("version", kind.version());
    }

    /** Version 2 cannot say "these and others": clients would take the others for mistakes. */
    private static boolean preservesUnknown(ObjectNode schema, Dialect dialect) {
        return dialect == Dialect.V2
                && schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false);
    }

    private static ObjectNode string(String description) {
        return Json.object().put("description", description).put("type", "string");
    }

    private static ObjectNode described(ObjectNode reference, String description, Dialect dialect) {
        if (dialect == Dialect.V2) {
            return reference.put("description", description);
        }
        ObjectNode out = Json.object().put("description", description);
        out.putArray("allOf").add(reference);
        return out;
    }

    private static ObjectNode inV2(ObjectNode schema) {
        ObjectNode out = Json.object();
        boolean loose = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)
                || schema.path("x-kubernetes-int-or-string").asBoolean(false)
                || schema.path("nullable").asBoolean(false);
        for (var field : schema.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            boolean structural = name.equals("type") || name.equals("properties") || name.equals("items");
            if (NOT_IN_V2.contains(name) || (loose && structural)) {
                continue;
            }
            switch (name) {
                case "properties" -> out.set(name, propertiesInV2(value));
                case "items", "additionalProperties" ->
                    out.set(name, value instanceof ObjectNode object ? inV2(object) : value);
                default -> out.set(name, value);
            }
        }
        return out;
    }

    private static ObjectNode propertiesInV2(JsonNode properties) {
        ObjectNode out = Json.object();
        for (var property : properties.properties()) {
            out.set(property.getKey(), property.getValue() instanceof ObjectNode object ? inV2(object) : Json.object());
        }
        return out;
    }
}
