package io.atoll.apiserver.openapi;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.Schemas;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/** Builds a document with the paths of served types and every definition that they need. */
final class OpenApiDocument {
    private static final String VERSION = "v1.36.0";

    private final Dialect dialect;
    private final ServedTypes types;
    private final SchemaWriter writer;
    private final Map<String, ObjectNode> definitions = new TreeMap<>();

    private OpenApiDocument(Dialect dialect, ServedTypes types) {
        this.dialect = dialect;
        this.types = types;
        this.writer = new SchemaWriter(dialect);
    }

    static ObjectNode build(Dialect dialect, ServedTypes types) {
        return new OpenApiDocument(dialect, types).build();
    }

    private ObjectNode build() {
        ObjectNode paths = Json.object();
        Operations operations = new Operations(dialect, writer, paths);
        for (ResourceType type : types.resources()) {
            operations.add(type);
            if (types.isCustom(type)) {
                addCustom(type.groupVersionKind());
            }
        }
        close();
        for (ResourceType type : types.resources()) {
            if (!types.isCustom(type)) {
                markKind(type.groupVersionKind());
                type.subresources().values().forEach(subresource -> markKind(subresource.kind()));
            }
        }
        ObjectNode document = Json.object();
        if (dialect == Dialect.V2) {
            document.put("swagger", "2.0");
        } else {
            document.put("openapi", "3.0.0");
        }
        document.putObject("info").put("title", "Kubernetes").put("version", VERSION);
        document.set("paths", paths);
        ObjectNode schemas = dialect == Dialect.V2
                ? document.putObject("definitions")
                : document.putObject("components").putObject("schemas");
        definitions.forEach(schemas::set);
        return document;
    }

    private void addCustom(GroupVersionKind kind) {
        String name = CustomDefinition.name(kind);
        definitions.put(name, CustomDefinition.object(kind, types.schema(kind), writer, dialect));
        definitions.put(name + "List", CustomDefinition.list(kind, writer, dialect));
    }

    /** Adds what is referred to until nothing is missing. */
    private void close() {
        Deque<String> open = new ArrayDeque<>(writer.references());
        Set<String> seen = new HashSet<>(definitions.keySet());
        while (!open.isEmpty()) {
            String name = open.removeFirst();
            if (seen.add(name)) {
                SchemaWriter part = new SchemaWriter(dialect);
                definitions.put(
                        name,
                        Schemas.definition(name)
                                .map(schema -> part.definition(name, schema))
                                .orElseGet(() -> Json.object().put("type", "object")));
                open.addAll(part.references());
            }
        }
    }

    private void markKind(GroupVersionKind kind) {
        for (String suffix : new String[] {"", "List"}) {
            GroupVersionKind marked = new GroupVersionKind(kind.group(), kind.version(), kind.kind() + suffix);
            Schemas.definitionName(marked).map(definitions::get).ifPresent(definition -> {
                if (!contains(definition, marked)) {
                    CustomDefinition.putKind(definition, marked);
                }
            });
        }
    }

    private static boolean contains(ObjectNode definition, GroupVersionKind kind) {
        for (var present : definition.path("x-kubernetes-group-version-kind")) {
            if (present.equals(CustomDefinition.kind(kind))) {
                return true;
            }
        }
        return false;
    }
}
