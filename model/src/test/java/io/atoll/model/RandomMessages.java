package io.atoll.model;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Schemas;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Messages as client-go would write them: no zero values but those that Go always writes, consistent unions, inlined
 * parts always there.
 */
final class RandomMessages {
    private final RandomGenerator random;

    RandomMessages(RandomGenerator random) {
        this.random = random;
    }

    Message message(Descriptor type, int depth) {
        DynamicMessage.Builder builder = DynamicMessage.newBuilder(type);
        switch (type.getName()) {
            case "Quantity" -> builder.setField(field(type, 1), random.nextInt(1, 1000) + "Mi");
            case "Time", "MicroTime" -> {
                boolean micro = type.getName().equals("MicroTime");
                builder.setField(field(type, 1), random.nextLong(1, 4_000_000_000L));
                builder.setField(field(type, 2), micro ? random.nextInt(1_000_000) * 1000 : 0);
            }
            case "IntOrString" -> {
                boolean text = random.nextBoolean();
                builder.setField(field(type, 1), text ? 1L : 0L);
                builder.setField(field(type, 2), text ? 0 : random.nextInt());
                builder.setField(field(type, 3), text ? text() : "");
            }
            case "RawExtension", "FieldsV1", "JSON" ->
                builder.setField(
                        field(type, 1), ByteString.copyFromUtf8("{\"" + text() + "\":[1,\"" + text() + "\"]}"));
            case "JSONSchemaPropsOrBool", "JSONSchemaPropsOrArray", "JSONSchemaPropsOrStringArray" ->
                union(builder, type, depth);
            default -> fields(builder, type, depth);
        }
        return builder.build();
    }

    private void union(DynamicMessage.Builder builder, Descriptor type, int depth) {
        boolean bool = type.getName().endsWith("OrBool");
        FieldDescriptor schema = field(type, bool ? 2 : 1);
        if (depth > 0 && random.nextBoolean()) {
            builder.setField(schema, message(schema.getMessageType(), depth - 1));
            if (bool) {
                builder.setField(field(type, 1), true);
            }
        } else if (bool) {
            builder.setField(field(type, 1), random.nextBoolean());
        } else {
            FieldDescriptor list = field(type, 2);
            builder.addRepeatedField(
                    list,
                    list.getType() == FieldDescriptor.Type.STRING
                            ? text()
                            : message(list.getMessageType(), Math.max(0, depth - 1)));
        }
    }

    private void fields(DynamicMessage.Builder builder, Descriptor type, int depth) {
        Optional<Schema> schema = Schemas.definition(definition(type));
        for (FieldDescriptor field : type.getFields()) {
            boolean inlined = schema.isPresent() && schema.get().inlined().containsKey(field.getNumber());
            if (inlined) {
                builder.setField(field, message(field.getMessageType(), depth));
            } else if (random.nextInt(3) > 0 && (depth > 0 || field.getType() != FieldDescriptor.Type.MESSAGE)) {
                if (field.isRepeated()) {
                    for (int i = random.nextInt(1, 3); i > 0; i--) {
                        builder.addRepeatedField(field, value(field, depth));
                    }
                } else {
                    builder.setField(field, value(field, depth));
                }
            }
        }
    }

    private Object value(FieldDescriptor field, int depth) {
        return switch (field.getType()) {
            case STRING -> text();
            case BYTES -> ByteString.copyFromUtf8(text());
            case BOOL -> true;
            case INT32 -> random.nextInt(1, Integer.MAX_VALUE);
            case INT64 -> random.nextLong(1, Long.MAX_VALUE);
            case DOUBLE -> random.nextInt(1, 1000) / 8.0;
            case MESSAGE -> field.isMapField() ? entry(field, depth) : message(field.getMessageType(), depth - 1);
            default -> throw new IllegalStateException(field.toString());
        };
    }

    private Message entry(FieldDescriptor field, int depth) {
        Descriptor type = field.getMessageType();
        FieldDescriptor value = field(type, 2);
        return DynamicMessage.newBuilder(type)
                .setField(field(type, 1), text())
                .setField(value, value(value, depth))
                .build();
    }

    private static FieldDescriptor field(Descriptor type, int number) {
        return type.findFieldByNumber(number);
    }

    static String definition(Descriptor type) {
        return type.getFullName()
                .replace("k8s.io.", "io.k8s.")
                .replace("apiextensions_apiserver", "apiextensions-apiserver");
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(1, 12); i > 0; i--) {
            text.append(random.nextInt(20) == 0 ? 'é' : (char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }
}
