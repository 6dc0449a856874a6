package io.atoll.apiserver.http;

import io.atoll.apiserver.ApiResponse;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Collects a request body within the bounds of its cluster. One thread at a time. */
final class BodyBuffer {
    private static final int FIRST_BYTES = 16 * 1024;
    private static final byte[] NONE = {};

    private final Connection connection;
    private final int bytesMax;
    private final int expected;
    private byte[] bytes = NONE;
    private int length;
    private int reserved;
    private boolean tooLarge;

    BodyBuffer(Connection connection, long contentLength) {
        this.connection = connection;
        this.bytesMax = connection.limits().requestBodyBytesMax();
        this.expected = (int) Math.min(contentLength, bytesMax);
    }

    /** False when a bound is reached: see {@link #refusal}. */
    boolean append(ByteBuf content) {
        int more = content.readableBytes();
        if (more == 0) {
            return true;
        }
        if (more > bytesMax - length) {
            tooLarge = true;
            return false;
        }
        if (!grow(length + more)) {
            return false;
        }
        content.readBytes(bytes, length, more);
        length += more;
        return true;
    }

    private boolean grow(int needed) {
        if (needed <= bytes.length) {
            return true;
        }
        int first = expected == 0 ? FIRST_BYTES : Math.min(expected, FIRST_BYTES);
        int doubled = Math.max(first, Math.min(bytes.length * 2, expected == 0 ? bytesMax : expected));
        int capacity = Math.min(Math.max(needed, doubled), bytesMax);
        if (!connection.reserveBody(capacity - reserved)) {
            return false;
        }
        reserved = capacity;
        bytes = Arrays.copyOf(bytes, capacity);
        return true;
    }

    ApiResponse.Full refusal() {
        return tooLarge ? Failure.bodyTooLarge(bytesMax) : Failure.tooManyRequests();
    }

    byte[] toBytes() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    void release() {
        connection.releaseBody(reserved);
        reserved = 0;
    }
}
