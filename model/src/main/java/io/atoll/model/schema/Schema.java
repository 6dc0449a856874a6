package io.atoll.model.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One node of a type's schema: built-in types and custom resources alike.
 *
 * <p>A node holds what is said at the place where it is used (description, default, patch strategy, field number) and
 * its structure. A node that names a definition ({@link #reference}) takes its structure from there, loaded when first
 * asked for; that is how recursive types and lazy loading work. Immutable; any thread.
 */
public final class Schema {
    /** The JSON type; {@code ANY} when the schema does not say. */
    public enum Type {
        ANY,
        OBJECT,
        ARRAY,
        STRING,
        INTEGER,
        NUMBER,
        BOOLEAN;

        /** As JSON Schema writes it; empty for {@code ANY}. */
        public String json() {
            return this == ANY ? "" : name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** How the items of a list are merged and owned. */
    public enum ListType {
        ATOMIC,
        SET,
        MAP
    }

    /** Whether the fields of an object are merged and owned one by one. */
    public enum MapType {
        GRANULAR,
        ATOMIC
    }

    /** What a built-in field's absence and zero mean, as its Go field behaves when it is encoded. */
    public enum Presence {
        /** The zero value is left out. */
        OMIT_ZERO,
        /** Present exactly when set; zero is kept. */
        OPTIONAL,
        /** Always written, zero when not set. */
        ALWAYS
    }

    private final Type type;
    private final String format;
    private final Supplier<String> description;
    private final String reference;
    private final @Nullable Supplier<Schema> target;
    private @Nullable Schema resolved;
    private final Map<String, Schema> properties;
    private final Set<String> required;
    private final @Nullable Schema items;
    private final @Nullable Schema additionalProperties;
    private final @Nullable ListType listType;
    private final List<String> listMapKeys;
    private final @Nullable MapType mapType;
    private final Set<String> patchStrategies;
    private final String patchMergeKey;
    private final @Nullable JsonNode defaultValue;
    private final List<JsonNode> enumValues;
    private final boolean nullable;
    private final boolean preserveUnknownFields;
    private final boolean intOrString;
    private final boolean embeddedResource;
    private final boolean builtIn;
    private final Presence presence;
    private final Validation validation;
    private final int protobufNumber;
    private final ProtobufType protobufType;
    private final Map<Integer, Schema> inlined;

    private Schema(Builder from) {
        type = from.type;
        format = from.format;
        description = from.description;
        reference = from.reference;
        target = from.target;
        properties = from.properties.isEmpty() ? Map.of() : Collections.unmodifiableMap(from.properties);
        required = Set.copyOf(from.required);
        items = from.items;
        additionalProperties = from.additionalProperties;
        listType = from.listType;
        listMapKeys = List.copyOf(from.listMapKeys);
        mapType = from.mapType;
        patchStrategies = Set.copyOf(from.patchStrategies);
        patchMergeKey = from.patchMergeKey;
        defaultValue = from.defaultValue;
        enumValues = List.copyOf(from.enumValues);
        nullable = from.nullable;
        preserveUnknownFields = from.preserveUnknownFields;
        intOrString = from.intOrString;
        embeddedResource = from.embeddedResource;
        builtIn = from.builtIn;
        presence = from.presence;
        validation = from.validation;
        protobufNumber = from.protobufNumber;
        protobufType = from.protobufType;
        inlined = from.inlined.isEmpty() ? Map.of() : Collections.unmodifiableMap(from.inlined);
    }

    public static Builder builder(Type type) {
        return new Builder(type);
    }

    public Type type() {
        return target == null ? type : structure().type;
    }

    /** {@code int32}, {@code date-time}, {@code quantity} and so on; empty for none. */
    public String format() {
        return target == null ? format : structure().format;
    }

    /** The text for {@code kubectl explain}; built-in texts are read when first asked for. */
    public String description() {
        return description.get();
    }

    /** The name of the definition that this node uses or is: {@code io.k8s.api.core.v1.PodSpec}; empty for none. */
    public String reference() {
        return reference;
    }

    /** The definition that this node uses, or itself. */
    public Schema structure() {
        if (target == null) {
            return this;
        }
        Schema known = resolved;
        if (known == null) {
            known = target.get();
            resolved = known; // a race resolves twice, to the same definition
        }
        return known;
    }

    /** Fields in the order they are listed. */
    public Map<String, Schema> properties() {
        return structure().properties;
    }

    /** The field's schema, or the one for any key of a map, or null when the schema does not know the field. */
    public @Nullable Schema property(String name) {
        Schema structure = structure();
        Schema property = structure.properties.get(name);
        return property == null ? structure.additionalProperties : property;
    }

    public Set<String> required() {
        return structure().required;
    }

    /** The schema of a list's items; null when it is no list or does not say. */
    public @Nullable Schema items() {
        return structure().items;
    }

    /** The schema of a map's values; null when it is no map or does not say. */
    public @Nullable Schema additionalProperties() {
        return structure().additionalProperties;
    }

    /** Atomic unless declared otherwise. */
    public ListType listType() {
        return listType == null ? ListType.ATOMIC : listType;
    }

    /** As declared; null when the schema is silent. */
    public @Nullable ListType declaredListType() {
        return listType;
    }

    public List<String> listMapKeys() {
        return listMapKeys;
    }

    /** Granular unless declared otherwise, here or at the definition. */
    public MapType mapType() {
        MapType declared = mapType == null ? structure().mapType : mapType;
        return declared == null ? MapType.GRANULAR : declared;
    }

    /** As declared at this node; null when the schema is silent. */
    public @Nullable MapType declaredMapType() {
        return mapType;
    }

    /** {@code merge}, {@code replace}, {@code retainKeys}; empty for none. */
    public Set<String> patchStrategies() {
        return patchStrategies;
    }

    /** Empty for none. */
    public String patchMergeKey() {
        return patchMergeKey;
    }

    /** The value that an absent field gets; do not change it, copy it. */
    public @Nullable JsonNode defaultValue() {
        return defaultValue;
    }

    public List<JsonNode> enumValues() {
        return enumValues;
    }

    public boolean nullable() {
        return nullable;
    }

    public boolean preserveUnknownFields() {
        return structure().preserveUnknownFields;
    }

    public boolean intOrString() {
        return structure().intOrString;
    }

    public boolean embeddedResource() {
        return structure().embeddedResource;
    }

    /** Compiled into this server: a null means absent, and types are checked as Go's decoder does. */
    public boolean builtIn() {
        return builtIn;
    }

    public Presence presence() {
        return presence;
    }

    /** Whether a built-in field with this value is left out, because it is zero. */
    public boolean leavesOut(JsonNode value) {
        return builtIn && presence == Presence.OMIT_ZERO && isZero(value);
    }

    static boolean isZero(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> value.stringValue().isEmpty();
            case NUMBER -> value.doubleValue() == 0;
            case BOOLEAN -> !value.booleanValue();
            case ARRAY, OBJECT -> value.isEmpty();
            default -> false;
        };
    }

    /** Keywords of custom resources; {@link Validation#NONE} for built-in types. */
    public Validation validation() {
        return validation;
    }

    /** The field's number on the wire; zero when it has none. */
    public int protobufNumber() {
        return protobufNumber;
    }

    public ProtobufType protobufType() {
        return target == null ? protobufType : structure().protobufType;
    }

    /**
     * Parts that JSON shows as fields of this object but that are messages of their own on the wire, by field number.
     * {@link #properties} has their fields too.
     */
    public Map<Integer, Schema> inlined() {
        return structure().inlined;
    }

    /** Builds one schema; not for sharing. */
    public static final class Builder {
        private final Type type;
        private String format = "";
        private Supplier<String> description = () -> "";
        private String reference = "";
        private @Nullable Supplier<Schema> target;
        private Map<String, Schema> properties = Map.of();
        private Set<String> required = Set.of();
        private @Nullable Schema items;
        private @Nullable Schema additionalProperties;
        private @Nullable ListType listType;
        private List<String> listMapKeys = List.of();
        private @Nullable MapType mapType;
        private Set<String> patchStrategies = Set.of();
        private String patchMergeKey = "";
        private @Nullable JsonNode defaultValue;
        private List<JsonNode> enumValues = List.of();
        private boolean nullable;
        private boolean preserveUnknownFields;
        private boolean intOrString;
        private boolean embeddedResource;
        private boolean builtIn;
        private Presence presence = Presence.OMIT_ZERO;
        private Validation validation = Validation.NONE;
        private int protobufNumber;
        private ProtobufType protobufType = ProtobufType.NONE;
        private Map<Integer, Schema> inlined = Map.of();

        private Builder(Type type) {
            this.type = type;
        }

        public Builder format(String value) {
            format = value;
            return this;
        }

        public Builder description(String value) {
            description = () -> value;
            return this;
        }

        public Builder description(Supplier<String> value) {
            description = value;
            return this;
        }

        /** Names the definition that this is. */
        public Builder name(String value) {
            reference = value;
            return this;
        }

        /** Takes the structure from a definition. */
        public Builder reference(String name, Supplier<Schema> definition) {
            reference = name;
            target = definition;
            return this;
        }

        public Builder property(String name, Schema schema) {
            if (properties.isEmpty()) {
                properties = new LinkedHashMap<>();
            }
            properties.put(name, schema);
            return this;
        }

        public Builder required(Set<String> value) {
            required = value;
            return this;
        }

        public Builder items(Schema value) {
            items = value;
            return this;
        }

        public Builder additionalProperties(Schema value) {
            additionalProperties = value;
            return this;
        }

        public Builder listType(ListType value) {
            listType = value;
            return this;
        }

        public Builder listMapKeys(List<String> value) {
            listMapKeys = value;
            return this;
        }

        public Builder mapType(MapType value) {
            mapType = value;
            return this;
        }

        public Builder patchStrategies(Set<String> value) {
            patchStrategies = value;
            return this;
        }

        public Builder patchMergeKey(String value) {
            patchMergeKey = value;
            return this;
        }

        public Builder defaultValue(JsonNode value) {
            defaultValue = value;
            return this;
        }

        public Builder enumValues(List<JsonNode> value) {
            enumValues = value;
            return this;
        }

        public Builder nullable(boolean value) {
            nullable = value;
            return this;
        }

        public Builder preserveUnknownFields(boolean value) {
            preserveUnknownFields = value;
            return this;
        }

        public Builder intOrString(boolean value) {
            intOrString = value;
            return this;
        }

        public Builder embeddedResource(boolean value) {
            embeddedResource = value;
            return this;
        }

        public Builder builtIn(boolean value) {
            builtIn = value;
            return this;
        }

        public Builder presence(Presence value) {
            presence = value;
            return this;
        }

        public Builder validation(Validation value) {
            validation = value;
            return this;
        }

        public Builder protobuf(int number, ProtobufType kind) {
            protobufNumber = number;
            protobufType = kind;
            return this;
        }

        public Builder inlined(Map<Integer, Schema> value) {
            inlined = value;
            return this;
        }

        public Schema build() {
            return new Schema(this);
        }
    }
}
