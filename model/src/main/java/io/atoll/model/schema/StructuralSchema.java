package io.atoll.model.schema;

import io.atoll.model.ApiException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the {@code openAPIV3Schema} of a CustomResourceDefinition. Stateless. */
public final class StructuralSchema {
    private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

    private StructuralSchema() {}

    /**
     * Reads the schema of a whole object; {@code apiVersion}, {@code kind} and {@code metadata} are implied. What is
     * not understood is ignored: see {@link #check}.
     */
    public static Schema parse(JsonNode openApiV3Schema) {
        return read(openApiV3Schema, true);
    }

    /**
     * Lists what makes a schema unfit, for a 422: unknown types, keywords that Kubernetes does not support, and
     * violations of the rules of structural schemas.
     *
     * @param path where the schema stands, e.g. {@code spec.versions[0].schema.openAPIV3Schema}
     */
    public static List<ApiException.Cause> check(JsonNode openApiV3Schema, String path) {
        FieldErrors errors = new FieldErrors();
        new StructuralRules(errors).check(openApiV3Schema, path);
        if (errors.isEmpty()) {
            new DefaultRules(errors).check(openApiV3Schema, path);
        }
        return List.copyOf(errors.causes());
    }

    static Schema read(JsonNode node, boolean root) {
        boolean intOrString = node.path("x-kubernetes-int-or-string").asBoolean(false);
        boolean embedded = node.path("x-kubernetes-embedded-resource").asBoolean(false);
        boolean preserve = node.path("x-kubernetes-preserve-unknown-fields").asBoolean(false);
        Schema.Builder builder = Schema.builder(type(node))
                .format(node.path("format").asString(""))
                .description(node.path("description").asString(""))
                .nullable(node.path("nullable").asBoolean(false))
                .intOrString(intOrString)
                .embeddedResource(embedded)
                .preserveUnknownFields(preserve)
                .required(texts(node.path("required")))
                .enumValues(List.copyOf(node.path("enum").values()))
                .listMapKeys(List.copyOf(texts(node.path("x-kubernetes-list-map-keys"))))
                .validation(validation(node, intOrString));
        JsonNode start = node.get("default");
        if (start != null && !start.isNull()) {
            builder.defaultValue(start.deepCopy());
        }
        switch (node.path("x-kubernetes-list-type").asString("")) {
            case "set" -> builder.listType(Schema.ListType.SET);
            case "map" -> builder.listType(Schema.ListType.MAP);
            case "atomic" -> builder.listType(Schema.ListType.ATOMIC);
            default -> {}
        }
        switch (node.path("x-kubernetes-map-type").asString("")) {
            case "granular" -> builder.mapType(Schema.MapType.GRANULAR);
            case "atomic" -> builder.mapType(Schema.MapType.ATOMIC);
            default -> {}
        }
        children(node, builder, root || embedded);
        return builder.build();
    }

    private static void children(JsonNode node, Schema.Builder builder, boolean resource) {
        if (node.path("items").isObject()) {
            builder.items(read(node.path("items"), false));
        }
        JsonNode values = node.path("additionalProperties");
        if (values.isObject()) {
            builder.additionalProperties(read(values, false));
        } else if (values.asBoolean(false)) {
            builder.additionalProperties(
                    Schema.builder(Schema.Type.ANY).preserveUnknownFields(true).build());
        }
        if (resource) {
            builder.property("apiVersion", text(node.path("properties").path("apiVersion")));
            builder.property("kind", text(node.path("properties").path("kind")));
            builder.property("metadata", metadata(node.path("properties").path("metadata")));
        }
        for (Map.Entry<String, JsonNode> property : node.path("properties").properties()) {
            if (!resource || !Set.of("apiVersion", "kind", "metadata").contains(property.getKey())) {
                builder.property(property.getKey(), read(property.getValue(), false));
            }
        }
    }

    private static Schema text(JsonNode restriction) {
        return Schema.builder(Schema.Type.STRING)
                .builtIn(true)
                .protobuf(0, ProtobufType.STRING)
                .description(restriction.path("description").asString(""))
                .presence(Schema.Presence.OPTIONAL)
                .validation(restricted(restriction))
                .build();
    }

    private static Schema metadata(JsonNode restriction) {
        return Schema.builder(Schema.Type.OBJECT)
                .reference(OBJECT_META, () -> Schemas.definition(OBJECT_META).orElseThrow())
                .builtIn(true)
                .protobuf(0, ProtobufType.MESSAGE)
                .presence(Schema.Presence.OPTIONAL)
                .validation(restricted(restriction))
                .build();
    }

    /** What a custom resource may add to fields that every object has. */
    private static Validation restricted(JsonNode restriction) {
        return restriction.isObject()
                        && (restriction.has("properties") || restriction.has("enum") || restriction.has("pattern"))
                ? Validation.NONE.withAllOf(List.of(read(restriction, false)))
                : Validation.NONE;
    }

    private static Schema.Type type(JsonNode node) {
        String name = node.path("type").asString("");
        for (Schema.Type type : Schema.Type.values()) {
            if (!name.isEmpty() && type.name().equals(name.toUpperCase(Locale.ROOT))) {
                return type;
            }
        }
        return Schema.Type.ANY;
    }

    private static Validation validation(JsonNode node, boolean intOrString) {
        List<Schema> anyOf = schemas(node.path("anyOf"));
        List<Schema> allOf = schemas(node.path("allOf"));
        if (intOrString) { // the customary anyOf of both types says nothing more
            anyOf = StructuralRules.isIntOrString(node.path("anyOf")) ? List.of() : anyOf;
            if (StructuralRules.isIntOrString(node.path("allOf").path(0).path("anyOf"))) {
                allOf = allOf.subList(1, allOf.size());
            }
        }
        JsonNode not = node.path("not");
        Validation read = new Validation(
                decimal(node.path("minimum")),
                decimal(node.path("maximum")),
                node.path("exclusiveMinimum").asBoolean(false),
                node.path("exclusiveMaximum").asBoolean(false),
                decimal(node.path("multipleOf")),
                count(node.path("minLength")),
                count(node.path("maxLength")),
                pattern(node.path("pattern").asString("")),
                count(node.path("minItems")),
                count(node.path("maxItems")),
                node.path("uniqueItems").asBoolean(false),
                count(node.path("minProperties")),
                count(node.path("maxProperties")),
                allOf,
                anyOf,
                schemas(node.path("oneOf")),
                not.isObject() ? read(not, false) : null,
                List.copyOf(node.path("x-kubernetes-validations").values()));
        return read.equals(Validation.NONE) ? Validation.NONE : read;
    }

    private static @Nullable GoPattern pattern(String text) {
        try {
            return text.isEmpty() ? null : GoPattern.compile(text);
        } catch (PatternSyntaxException malformed) {
            return null;
        }
    }

    private static List<Schema> schemas(JsonNode nodes) {
        List<Schema> schemas = new ArrayList<>();
        nodes.forEach(node -> schemas.add(read(node, false)));
        return schemas;
    }

    private static Set<String> texts(JsonNode nodes) {
        Set<String> texts = new LinkedHashSet<>();
        nodes.forEach(node -> texts.add(node.asString("")));
        return texts;
    }

    private static @Nullable BigDecimal decimal(JsonNode node) {
        return node.isNumber() ? node.decimalValue() : null;
    }

    private static @Nullable Long count(JsonNode node) {
        return node.isNumber() ? (Long) node.longValue() : null;
    }
}
