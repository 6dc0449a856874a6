package io.atoll.apiserver.openapi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A protobuf message while it is put together, field by field. Confined to one thread. */
final class WireMessage {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH_DELIMITED = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Empty text is left out. */
    WireMessage text(int field, String value) {
        return value.isEmpty() ? this : bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    WireMessage message(int field, WireMessage value) {
        return bytes(field, value.encoded());
    }

    /** False is left out. */
    WireMessage bool(int field, boolean value) {
        if (value) {
            varint(((long) field << 3) | VARINT);
            varint(1);
        }
        return this;
    }

    WireMessage integer(int field, long value) {
        varint(((long) field << 3) | VARINT);
        varint(value);
        return this;
    }

    WireMessage number(int field, double value) {
        varint(((long) field << 3) | FIXED_64);
        long bits = Double.doubleToRawLongBits(value);
        for (int i = 0; i < Double.BYTES; i++) {
            out.write((int) (bits >>> (8 * i)));
        }
        return this;
    }

    byte[] encoded() {
        return out.toByteArray();
    }

    private WireMessage bytes(int field, byte[] value) {
        varint(((long) field << 3) | LENGTH_DELIMITED);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
