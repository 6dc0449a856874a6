package io.atoll.apiserver.crd;

import io.atoll.apiserver.registry.Conversion;
import io.atoll.apiserver.registry.Endpoint;
import io.atoll.apiserver.registry.PrinterColumn;
import io.atoll.apiserver.registry.ScalePaths;
import io.atoll.apiserver.registry.SelectableFields;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.Subresource;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes endpoints out of a CustomResourceDefinition that is established. Stateless. */
final class CustomEndpoints {
    static final Comparator<Endpoint> PREFERRED_FIRST = Comparator.comparing(
                    (Endpoint endpoint) -> endpoint.type().group())
            .thenComparing(endpoint -> endpoint.type().version(), VersionOrder.PREFERRED_FIRST)
            .thenComparing(endpoint -> endpoint.type().resource());

    private static final List<String> CHANGES = List.of("get", "patch", "update");

    private CustomEndpoints() {}

    static List<Endpoint> of(ObjectNode definition) {
        if (!isEstablished(definition)) {
            return List.of();
        }
        JsonNode spec = definition.path("spec");
        ResourceType storage = null;
        for (JsonNode version : spec.path("versions")) {
            if (version.path("storage").asBoolean(false)) {
                storage = type(definition, version);
            }
        }
        if (storage == null) {
            return List.of();
        }
        List<Endpoint> endpoints = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean(false)) {
                endpoints.add(endpoint(definition, version, storage));
            }
        }
        return endpoints;
    }

    static boolean isEstablished(JsonNode definition) {
        for (JsonNode condition : definition.path("status").path("conditions")) {
            if (condition.path("type").asString("").equals("Established")) {
                return condition.path("status").asString("").equals("True");
            }
        }
        return false;
    }

    private static Endpoint endpoint(ObjectNode definition, JsonNode version, ResourceType storage) {
        ResourceType type = type(definition, version);
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        ServedResource served = new ServedResource(
                type, true, columns(version.path("additionalPrinterColumns")), new ParsedOnce(schema));
        Conversion conversion = type.equals(storage)
                ? Conversion.NONE
                : new Conversion.Renaming(type.apiVersion(), storage.apiVersion());
        List<String> fields = new ArrayList<>();
        for (JsonNode field : version.path("selectableFields")) {
            String path = field.path("jsonPath").asString("");
            fields.add(path.startsWith(".") ? path.substring(1) : path);
        }
        return new Endpoint(
                served,
                storage,
                conversion,
                new CustomStrategy(Metadata.deleting(definition)),
                fields.isEmpty() ? SelectableFields.METADATA : SelectableFields.of(fields),
                ScalePaths.of(version.path("subresources").path("scale")));
    }

    private static ResourceType type(ObjectNode definition, JsonNode version) {
        JsonNode spec = definition.path("spec");
        JsonNode names = definition.path("status").path("acceptedNames");
        String group = spec.path("group").asString("");
        String name = version.path("name").asString("");
        String kind = names.path("kind").asString("");
        Map<String, Subresource> subresources = new LinkedHashMap<>();
        if (version.path("subresources").has("status")) {
            subresources.put("status", new Subresource("status", new GroupVersionKind(group, name, kind), CHANGES));
        }
        if (version.path("subresources").has("scale")) {
            subresources.put(
                    "scale", new Subresource("scale", new GroupVersionKind("autoscaling", "v1", "Scale"), CHANGES));
        }
        return new ResourceType(
                group,
                name,
                names.path("plural").asString(""),
                names.path("singular").asString(""),
                kind,
                spec.path("scope").asString("").equals("Namespaced"),
                strings(names.path("shortNames")),
                strings(names.path("categories")),
                ResourceType.STORED_VERBS,
                subresources);
    }

    private static List<PrinterColumn> columns(JsonNode columns) {
        List<PrinterColumn> all = new ArrayList<>();
        for (JsonNode column : columns) {
            all.add(new PrinterColumn(
                    column.path("name").asString(""),
                    column.path("type").asString(""),
                    column.path("format").asString(""),
                    column.path("description").asString(""),
                    column.path("priority").asInt(0),
                    column.path("jsonPath").asString("")));
        }
        return all;
    }

    static List<String> strings(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(one -> all.add(one.asString("")));
        return all;
    }

    /** A schema that is parsed when somebody needs it: most clusters never touch most of their definitions. */
    private static final class ParsedOnce implements Supplier<Schema> {
        private final JsonNode source;
        private volatile @Nullable Schema schema;

        ParsedOnce(JsonNode source) {
            this.source = source;
        }

        @Override
        public Schema get() {
            Schema parsed = schema;
            if (parsed == null) {
                parsed = StructuralSchema.parse(source);
                schema = parsed;
            }
            return parsed;
        }
    }
}
