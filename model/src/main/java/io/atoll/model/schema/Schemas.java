package io.atoll.model.schema;

import io.atoll.model.GroupVersionKind;
import io.atoll.schemas.Definition;
import io.atoll.schemas.Field;
import io.atoll.schemas.SchemaFile;
import io.atoll.schemas.Shape;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** The built-in types' schemas, each loaded when first asked for and then shared. Any thread. */
public final class Schemas {
    private static final SchemaFile FILE = SchemaFile.open();
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Names by {@code group/version/Kind}: text, since the first hash of a record costs milliseconds at start. */
    private static final Map<String, String> NAMES = FILE.kinds();

    private static final Map<String, Schema> LOADED = new ConcurrentHashMap<>();

    private Schemas() {}

    /** The schema of a built-in kind. */
    public static Optional<Schema> find(GroupVersionKind kind) {
        return definitionName(kind).flatMap(Schemas::definition);
    }

    /** A definition by its OpenAPI name, e.g. {@code io.k8s.api.core.v1.PodSpec}. */
    public static Optional<Schema> definition(String name) {
        Schema known = LOADED.get(name);
        if (known == null) {
            known = load(name); // not computeIfAbsent: loading one definition may load another
            if (known != null) {
                known = Objects.requireNonNullElse(LOADED.putIfAbsent(name, known), known);
            }
        }
        return Optional.ofNullable(known);
    }

    /**
     * The OpenAPI name of a built-in kind, e.g. {@code io.k8s.api.core.v1.Pod}. The kinds that every group has, such as
     * {@code DeleteOptions}, are found under any group and version.
     */
    public static Optional<String> definitionName(GroupVersionKind kind) {
        String name = NAMES.get(kind.group() + "/" + kind.version() + "/" + kind.kind());
        if (name == null) {
            name = NAMES.get("/v1/" + kind.kind());
            name = name != null && name.startsWith("io.k8s.apimachinery.") ? name : null;
        }
        return Optional.ofNullable(name);
    }

    /** Every definition's name, sorted. */
    public static List<String> names() {
        return FILE.names();
    }

    /** The kinds whose objects have this type; empty for a part of other types. */
    public static List<GroupVersionKind> kinds(String definition) {
        return NAMES.entrySet().stream()
                .filter(entry -> entry.getValue().equals(definition))
                .map(entry -> entry.getKey().split("/", -1))
                .map(parts -> new GroupVersionKind(parts[0], parts[1], parts[2]))
                .toList();
    }

    private static @Nullable Schema load(String name) {
        Definition definition = FILE.read(name);
        if (definition == null) {
            return null;
        }
        ProtobufType encoding = ProtobufType.valueOf(definition.encoding());
        Schema.Builder builder = wellKnown(encoding)
                .name(name)
                .builtIn(true)
                .protobuf(0, encoding)
                .description(() -> FILE.description(definition.description()));
        if (definition.atomicMap()) {
            builder.mapType(Schema.MapType.ATOMIC);
        }
        Map<String, Schema> properties = new TreeMap<>();
        Set<String> required = new HashSet<>();
        for (Field field : definition.fields()) {
            properties.put(field.name(), property(field));
            if (field.required()) {
                required.add(field.name());
            }
        }
        Map<Integer, Schema> inlined = new LinkedHashMap<>();
        definition.inlined().forEach((number, part) -> {
            Schema schema = known(part);
            inlined.put(number, schema);
            properties.putAll(schema.properties());
            required.addAll(schema.required());
        });
        properties.forEach(builder::property);
        return builder.required(Set.copyOf(required)).inlined(inlined).build();
    }

    private static Schema known(String name) {
        return definition(name).orElseThrow(() -> new IllegalStateException("no definition " + name));
    }

    private static Schema.Builder wellKnown(ProtobufType encoding) {
        return switch (encoding) {
            case QUANTITY -> Schema.builder(Schema.Type.STRING).format("quantity");
            case TIME, MICRO_TIME -> Schema.builder(Schema.Type.STRING).format("date-time");
            case INT_OR_STRING ->
                Schema.builder(Schema.Type.ANY).format("int-or-string").intOrString(true);
            case RAW_JSON -> Schema.builder(Schema.Type.ANY).preserveUnknownFields(true);
            case SCHEMA_OR_BOOL, SCHEMA_OR_ARRAY, SCHEMA_OR_STRING_ARRAY ->
                Schema.builder(Schema.Type.ANY).preserveUnknownFields(true);
            default -> Schema.builder(Schema.Type.OBJECT);
        };
    }

    private static Schema property(Field field) {
        boolean list = field.shape() instanceof Shape.ListOf;
        Schema.Builder builder = shaped(field.shape(), field.number(), list ? List.of() : field.enumValues())
                .description(() -> FILE.description(field.description()))
                .presence(Schema.Presence.valueOf(field.presence()))
                .listMapKeys(field.listMapKeys())
                .patchStrategies(Set.copyOf(field.patchStrategies()))
                .patchMergeKey(field.patchMergeKey());
        if (list && !field.enumValues().isEmpty() && field.shape() instanceof Shape.ListOf(Shape items)) {
            builder.items(shaped(items, 0, field.enumValues()).build());
        }
        if (!field.listType().isEmpty()) {
            builder.listType(Schema.ListType.valueOf(field.listType().toUpperCase(java.util.Locale.ROOT)));
        }
        if (field.atomicMap()) {
            builder.mapType(Schema.MapType.ATOMIC);
        }
        if (!field.defaultJson().isEmpty()) {
            builder.defaultValue(JSON.readTree(field.defaultJson()));
        }
        return builder.build();
    }

    private static Schema.Builder shaped(Shape shape, int number, List<String> enumValues) {
        return structured(shape, number).builtIn(true).enumValues(enumNodes(enumValues));
    }

    /** No switch over the patterns: the first one costs milliseconds at start. */
    private static Schema.Builder structured(Shape shape, int number) {
        if (shape instanceof Shape.Scalar(String kind)) {
            return scalar(number, ProtobufType.valueOf(kind));
        }
        if (shape instanceof Shape.Reference(String name)) {
            return Schema.builder(Schema.Type.OBJECT)
                    .reference(name, () -> known(name))
                    .protobuf(number, ProtobufType.MESSAGE);
        }
        if (shape instanceof Shape.ListOf(Shape items)) {
            return Schema.builder(Schema.Type.ARRAY)
                    .items(shaped(items, 0, List.of()).build())
                    .protobuf(number, ProtobufType.NONE);
        }
        if (shape instanceof Shape.MapOf(Shape values)) {
            return Schema.builder(Schema.Type.OBJECT)
                    .additionalProperties(shaped(values, 0, List.of()).build())
                    .protobuf(number, ProtobufType.NONE);
        }
        return Schema.builder(Schema.Type.ARRAY)
                .items(scalar(0, ProtobufType.STRING).builtIn(true).build())
                .protobuf(number, ProtobufType.STRING_LIST);
    }

    private static Schema.Builder scalar(int number, ProtobufType kind) {
        Schema.Builder builder = switch (kind) {
            case STRING -> Schema.builder(Schema.Type.STRING);
            case BYTES -> Schema.builder(Schema.Type.STRING).format("byte");
            case BOOL -> Schema.builder(Schema.Type.BOOLEAN);
            case INT32 -> Schema.builder(Schema.Type.INTEGER).format("int32");
            case INT64 -> Schema.builder(Schema.Type.INTEGER).format("int64");
            case DOUBLE -> Schema.builder(Schema.Type.NUMBER).format("double");
            default -> throw new IllegalStateException("no scalar " + kind);
        };
        return builder.protobuf(number, kind);
    }

    private static List<JsonNode> enumNodes(List<String> values) {
        return values.stream()
                .map(value -> (JsonNode) JsonNodeFactory.instance.stringNode(value))
                .toList();
    }
}
