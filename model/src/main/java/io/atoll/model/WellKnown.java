package io.atoll.model;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;

/** A small message of integers and byte strings, read whole: times, quantities and the like. */
final class WellKnown {
    private static final int WIRE_VARINT = 0;
    private static final int WIRE_BYTES = 2;

    private final Map<Integer, Long> numbers = new HashMap<>();
    private final Map<Integer, List<byte[]>> bytes = new HashMap<>();

    WellKnown(CodedInputStream in) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag & 7) {
                case WIRE_VARINT -> numbers.put(tag >>> 3, in.readInt64());
                case WIRE_BYTES ->
                    bytes.computeIfAbsent(tag >>> 3, number -> new ArrayList<>())
                            .add(in.readByteArray());
                default -> in.skipField(tag);
            }
        }
    }

    boolean has(int field) {
        return bytes.containsKey(field);
    }

    long number(int field) {
        return numbers.getOrDefault(field, 0L);
    }

    List<byte[]> all(int field) {
        return bytes.getOrDefault(field, List.of());
    }

    /** The last one, as protobuf has it; empty when absent. */
    byte[] bytes(int field) {
        List<byte[]> all = all(field);
        return all.isEmpty() ? new byte[0] : all.getLast();
    }

    String text(int field, String otherwise) {
        return has(field) ? new String(bytes(field), StandardCharsets.UTF_8) : otherwise;
    }

    ArrayNode texts(int field) {
        ArrayNode texts = Json.array();
        all(field).forEach(text -> texts.add(new String(text, StandardCharsets.UTF_8)));
        return texts;
    }
}
