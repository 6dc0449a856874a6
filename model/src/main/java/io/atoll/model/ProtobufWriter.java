package io.atoll.model;

import com.google.protobuf.CodedOutputStream;
import io.atoll.model.schema.ProtobufType;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Times;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Writes trees as messages, led by schemas; fields that the schema does not know are left out. Stateless. */
final class ProtobufWriter {
    byte[] message(Schema schema, JsonNode object) {
        return Protobuf.write(out -> {
            for (Map.Entry<Integer, ProtobufLayout.Slot> entry :
                    ProtobufLayout.of(schema).slots().entrySet()) {
                ProtobufLayout.Slot slot = entry.getValue();
                if (slot.inlined()) {
                    out.writeByteArray(entry.getKey(), message(slot.schema(), object));
                } else {
                    JsonNode value = object.get(slot.name());
                    if (value != null && !value.isNull()) {
                        field(out, entry.getKey(), slot.schema(), value);
                    }
                }
            }
        });
    }

    private void field(CodedOutputStream out, int number, Schema schema, JsonNode value) throws IOException {
        Schema items = schema.items();
        Schema values = schema.additionalProperties();
        if (schema.protobufType() == ProtobufType.NONE && items != null) {
            for (JsonNode item : value) {
                value(out, number, items, item);
            }
        } else if (schema.protobufType() == ProtobufType.NONE && values != null) {
            for (Map.Entry<String, JsonNode> entry : value.properties()) {
                out.writeByteArray(number, Protobuf.write(map -> {
                    map.writeString(1, entry.getKey());
                    value(map, 2, values, entry.getValue());
                }));
            }
        } else {
            value(out, number, schema, value);
        }
    }

    private void value(CodedOutputStream out, int number, Schema schema, JsonNode value) throws IOException {
        switch (schema.protobufType()) {
            case STRING -> out.writeString(number, value.asString(""));
            case BYTES -> out.writeByteArray(number, Base64.getDecoder().decode(value.asString("")));
            case BOOL -> out.writeBool(number, value.asBoolean(false));
            case INT32 -> out.writeInt32(number, value.asInt(0));
            case INT64 -> out.writeInt64(number, value.asLong(0));
            case DOUBLE -> out.writeDouble(number, value.asDouble(0));
            case NONE -> throw new IllegalStateException("not a single value: " + schema.reference());
            default -> out.writeByteArray(number, nested(schema, value));
        }
    }

    private byte[] nested(Schema schema, JsonNode value) {
        return switch (schema.protobufType()) {
            case MESSAGE -> message(schema, value);
            case QUANTITY -> Protobuf.write(out -> out.writeString(1, value.asString("")));
            case TIME, MICRO_TIME -> time(value.asString(""));
            case INT_OR_STRING -> intOrString(value);
            case RAW_JSON -> Protobuf.write(out -> out.writeByteArray(1, Json.encode(value)));
            case STRING_LIST -> texts(1, value);
            case SCHEMA_OR_BOOL ->
                value.isBoolean()
                        ? Protobuf.write(out -> out.writeBool(1, value.booleanValue()))
                        : Protobuf.write(out -> {
                            out.writeBool(1, true);
                            out.writeByteArray(2, message(ProtobufReader.jsonSchema(), value));
                        });
            case SCHEMA_OR_ARRAY -> value.isArray() ? schemas(value) : schema(value);
            case SCHEMA_OR_STRING_ARRAY -> value.isArray() ? texts(2, value) : schema(value);
            default -> throw new IllegalStateException("no message: " + schema.protobufType());
        };
    }

    private byte[] schema(JsonNode value) {
        return Protobuf.write(out -> out.writeByteArray(1, message(ProtobufReader.jsonSchema(), value)));
    }

    private byte[] schemas(JsonNode values) {
        return Protobuf.write(out -> {
            for (JsonNode value : values) {
                out.writeByteArray(2, message(ProtobufReader.jsonSchema(), value));
            }
        });
    }

    private static byte[] texts(int number, JsonNode values) {
        return Protobuf.write(out -> {
            for (JsonNode value : values) {
                out.writeString(number, value.asString(""));
            }
        });
    }

    private static byte[] time(String text) {
        Instant time = Times.parse(text).orElse(Instant.EPOCH);
        return Protobuf.write(out -> {
            out.writeInt64(1, time.getEpochSecond());
            out.writeInt32(2, time.getNano());
        });
    }

    private static byte[] intOrString(JsonNode value) {
        return Protobuf.write(out -> {
            if (value.isString()) {
                out.writeInt64(1, 1);
                out.writeInt32(2, 0);
                out.writeString(3, value.stringValue());
            } else {
                out.writeInt64(1, 0);
                out.writeInt32(2, value.asInt(0));
                out.writeString(3, "");
            }
        });
    }
}
