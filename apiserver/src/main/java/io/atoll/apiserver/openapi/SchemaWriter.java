package io.atoll.apiserver.openapi;

import io.atoll.model.Json;
import io.atoll.model.schema.Schema;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes built-in schemas in a dialect and notes which definitions they refer to. Confined to one thread. */
final class SchemaWriter {
    private static final Set<String> RAW_OBJECTS =
            Set.of("io.k8s.apimachinery.pkg.runtime.RawExtension", "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1");

    private final Dialect dialect;
    private final Set<String> references = new TreeSet<>();

    SchemaWriter(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Names of the definitions referred to by all that was written. */
    Set<String> references() {
        return references;
    }

    /** A reference to a definition, noted. */
    ObjectNode reference(String definition) {
        references.add(definition);
        return Json.object().put("$ref", dialect.reference(definition));
    }

    /** A whole definition. */
    ObjectNode definition(String name, Schema schema) {
        ObjectNode out = Json.object();
        putDescription(out, schema);
        if (RAW_OBJECTS.contains(name)) {
            out.put("type", "object");
            return out;
        }
        writeStructure(schema, out);
        if (schema.declaredMapType() == Schema.MapType.ATOMIC) {
            out.put("x-kubernetes-map-type", "atomic");
        }
        return out;
    }

    private ObjectNode property(Schema schema) {
        ObjectNode out = Json.object();
        putDescription(out, schema);
        if (schema.defaultValue() != null) {
            out.set("default", schema.defaultValue());
        }
        if (!schema.reference().isEmpty()) {
            putReference(out, schema.reference());
        } else {
            writeStructure(schema, out);
        }
        putExtensions(out, schema);
        return out;
    }

    private void putReference(ObjectNode out, String name) {
        ObjectNode reference = reference(name);
        if (dialect == Dialect.V2) {
            out.setAll(reference);
        } else {
            out.putArray("allOf").add(reference);
        }
    }

    private void writeStructure(Schema schema, ObjectNode out) {
        if (schema.intOrString()) {
            out.put("format", "int-or-string");
            oneOf(out, "integer", "string");
            return;
        }
        if (schema.format().equals("quantity")) {
            oneOf(out, "string", "number");
            return;
        }
        String type = schema.type().json();
        if (!type.isEmpty()) {
            out.put("type", type);
        }
        if (!schema.format().isEmpty()) {
            out.put("format", schema.format());
        }
        if (!schema.enumValues().isEmpty()) {
            schema.enumValues().forEach(out.putArray("enum")::add);
        }
        Schema items = schema.items();
        if (items != null) {
            out.set("items", property(items));
        }
        Schema values = schema.additionalProperties();
        if (values != null) {
            out.set("additionalProperties", property(values));
        }
        if (!schema.required().isEmpty()) {
            ArrayNode required = out.putArray("required");
            new TreeSet<>(schema.required()).forEach(required::add);
        }
        if (!schema.properties().isEmpty()) {
            ObjectNode properties = out.putObject("properties");
            new TreeMap<>(schema.properties()).forEach((name, of) -> properties.set(name, property(of)));
        }
    }

    /** Version 2 has no alternatives: it calls such a value a string. */
    private void oneOf(ObjectNode out, String first, String second) {
        if (dialect == Dialect.V2) {
            out.put("type", "string");
            return;
        }
        ArrayNode alternatives = out.putArray("oneOf");
        alternatives.addObject().put("type", first);
        alternatives.addObject().put("type", second);
    }

    private static void putDescription(ObjectNode out, Schema schema) {
        String description = schema.description();
        if (!description.isEmpty()) {
            out.put("description", description);
        }
    }

    private static void putExtensions(ObjectNode out, Schema schema) {
        Schema.ListType listType = schema.declaredListType();
        if (listType != null) {
            out.put("x-kubernetes-list-type", listType.name().toLowerCase(Locale.ROOT));
        }
        if (!schema.listMapKeys().isEmpty()) {
            schema.listMapKeys().forEach(out.putArray("x-kubernetes-list-map-keys")::add);
        }
        if (schema.declaredMapType() == Schema.MapType.ATOMIC) {
            out.put("x-kubernetes-map-type", "atomic");
        }
        if (!schema.patchMergeKey().isEmpty()) {
            out.put("x-kubernetes-patch-merge-key", schema.patchMergeKey());
        }
        if (!schema.patchStrategies().isEmpty()) {
            out.put("x-kubernetes-patch-strategy", String.join(",", new TreeSet<>(schema.patchStrategies())));
        }
    }
}
