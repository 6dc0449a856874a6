package io.atoll.model;

import io.atoll.model.schema.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which number of a message is which field. Made once for each definition that is read or written. Immutable. */
final class ProtobufLayout {
    private static final Map<Schema, ProtobufLayout> KNOWN = new ConcurrentHashMap<>();

    /** What a number stands for: a field, or a part that JSON shows inline. */
    record Slot(String name, Schema schema, boolean inlined) {}

    private final Map<Integer, Slot> slots = new TreeMap<>();

    private ProtobufLayout(Schema definition) {
        Map<String, Schema> own = new LinkedHashMap<>(definition.properties());
        definition.inlined().forEach((number, part) -> {
            slots.put(number, new Slot("", part, true));
            own.keySet().removeAll(part.properties().keySet());
        });
        own.forEach((name, field) -> {
            if (field.protobufNumber() > 0) {
                slots.put(field.protobufNumber(), new Slot(name, field, false));
            }
        });
    }

    static ProtobufLayout of(Schema schema) {
        return KNOWN.computeIfAbsent(schema.structure(), ProtobufLayout::new);
    }

    @Nullable
    Slot slot(int number) {
        return slots.get(number);
    }

    /** In the order of their numbers. */
    Map<Integer, Slot> slots() {
        return slots;
    }
}
