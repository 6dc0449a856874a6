package io.atoll.model;

import com.google.protobuf.CodedInputStream;
import io.atoll.model.schema.ProtobufType;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Schemas;
import io.atoll.model.schema.Times;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads messages into trees, led by schemas. For one message. */
final class ProtobufReader {
    /** Messages inside messages; more is refused. */
    static final int DEPTH_MAX = 100;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int WIRE_BYTES = 2;

    private int depthLeft;

    ProtobufReader(int depthLeft) {
        this.depthLeft = depthLeft;
    }

    /** Reads a message's fields to the end of the input. */
    void message(Schema schema, CodedInputStream in, ObjectNode into) throws IOException {
        if (depthLeft-- <= 0) {
            throw ApiException.badRequest("unable to decode protobuf: nested too deeply");
        }
        ProtobufLayout layout = ProtobufLayout.of(schema);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            ProtobufLayout.Slot slot = layout.slot(tag >>> 3);
            if (slot == null) {
                in.skipField(tag);
            } else if (slot.inlined()) {
                message(slot.schema(), nested(in), into);
            } else {
                field(slot, tag & 7, in, into);
            }
        }
        depthLeft++;
    }

    private void field(ProtobufLayout.Slot slot, int wireType, CodedInputStream in, ObjectNode into)
            throws IOException {
        Schema schema = slot.schema();
        Schema items = schema.items();
        Schema values = schema.additionalProperties();
        if (schema.protobufType() == ProtobufType.NONE && items != null) {
            items(items, wireType, in, array(into, slot.name()));
        } else if (schema.protobufType() == ProtobufType.NONE && values != null) {
            entry(values, nested(in), Json.child(into, slot.name()));
        } else {
            JsonNode value = value(schema, in);
            if (value != null && !schema.leavesOut(value)) {
                into.set(slot.name(), value);
            }
        }
    }

    private static ArrayNode array(ObjectNode into, String name) {
        return into.get(name) instanceof ArrayNode known ? known : into.putArray(name);
    }

    private void items(Schema schema, int wireType, CodedInputStream in, ArrayNode into) throws IOException {
        boolean packed = wireType == WIRE_BYTES
                && switch (schema.protobufType()) {
                    case BOOL, INT32, INT64, DOUBLE -> true;
                    default -> false;
                };
        CodedInputStream from = packed ? nested(in) : in;
        do {
            JsonNode value = packed && from.isAtEnd() ? null : value(schema, from);
            if (value != null) {
                into.add(value);
            }
        } while (packed && !from.isAtEnd());
    }

    private void entry(Schema values, CodedInputStream in, ObjectNode into) throws IOException {
        String key = "";
        @Nullable JsonNode value = null;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> 3) {
                case 1 -> key = in.readString();
                case 2 -> value = value(values, in);
                default -> in.skipField(tag);
            }
        }
        into.set(key, value == null ? empty(values) : value);
    }

    /** What a map entry holds that has no value on the wire. */
    private static JsonNode empty(Schema values) {
        return switch (values.protobufType()) {
            case STRING, BYTES -> NODES.stringNode("");
            case QUANTITY -> NODES.stringNode("0");
            case STRING_LIST -> NODES.arrayNode();
            case TIME, MICRO_TIME -> NODES.nullNode();
            default -> NODES.objectNode();
        };
    }

    private @Nullable JsonNode value(Schema schema, CodedInputStream in) throws IOException {
        return switch (schema.protobufType()) {
            case STRING -> NODES.stringNode(in.readString());
            case BYTES -> NODES.stringNode(Base64.getEncoder().encodeToString(in.readByteArray()));
            case BOOL -> NODES.booleanNode(in.readBool());
            case INT32 -> NODES.numberNode(in.readInt32());
            case INT64 -> NODES.numberNode(in.readInt64());
            case DOUBLE -> NODES.numberNode(in.readDouble());
            case MESSAGE -> object(schema, nested(in));
            case QUANTITY -> NODES.stringNode(new WellKnown(nested(in)).text(1, "0"));
            case TIME -> time(new WellKnown(nested(in)), false);
            case MICRO_TIME -> time(new WellKnown(nested(in)), true);
            case INT_OR_STRING -> intOrString(new WellKnown(nested(in)));
            case RAW_JSON -> raw(new WellKnown(nested(in)).bytes(1));
            case STRING_LIST -> new WellKnown(nested(in)).texts(1);
            case SCHEMA_OR_BOOL -> schemaOrBool(new WellKnown(nested(in)));
            case SCHEMA_OR_ARRAY -> schemaOrArray(new WellKnown(nested(in)));
            case SCHEMA_OR_STRING_ARRAY -> schemaOrTexts(new WellKnown(nested(in)));
            case NONE -> throw new IllegalStateException("not a single value: " + schema.reference());
        };
    }

    private ObjectNode object(Schema schema, CodedInputStream in) throws IOException {
        ObjectNode object = Json.object();
        message(schema, in, object);
        return object;
    }

    private static CodedInputStream nested(CodedInputStream in) throws IOException {
        return CodedInputStream.newInstance(in.readByteBuffer());
    }

    private static @Nullable JsonNode time(WellKnown message, boolean microseconds) {
        long seconds = message.number(1);
        int nanos = (int) message.number(2);
        boolean unset = seconds == 0 && nanos == 0;
        return unset ? null : NODES.stringNode(Times.format(Instant.ofEpochSecond(seconds, nanos), microseconds));
    }

    private static JsonNode intOrString(WellKnown message) {
        return message.number(1) == 1
                ? NODES.stringNode(message.text(3, ""))
                : NODES.numberNode((int) message.number(2));
    }

    private @Nullable JsonNode raw(byte[] bytes) {
        if (bytes.length == 0) {
            return null;
        }
        return Protobuf.isEnveloped(bytes) ? Protobuf.decode(bytes, depthLeft) : Json.parseValue(bytes);
    }

    private JsonNode schemaOrBool(WellKnown message) throws IOException {
        return message.has(2)
                ? object(jsonSchema(), CodedInputStream.newInstance(message.bytes(2)))
                : NODES.booleanNode(message.number(1) != 0);
    }

    private JsonNode schemaOrArray(WellKnown message) throws IOException {
        if (message.has(1)) {
            return object(jsonSchema(), CodedInputStream.newInstance(message.bytes(1)));
        }
        ArrayNode schemas = NODES.arrayNode();
        for (byte[] schema : message.all(2)) {
            schemas.add(object(jsonSchema(), CodedInputStream.newInstance(schema)));
        }
        return schemas;
    }

    private JsonNode schemaOrTexts(WellKnown message) throws IOException {
        return message.has(1) ? object(jsonSchema(), CodedInputStream.newInstance(message.bytes(1))) : message.texts(2);
    }

    static Schema jsonSchema() {
        return Schemas.definition("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps")
                .orElseThrow();
    }
}
