package io.atoll.apiserver.watch;

import org.jspecify.annotations.Nullable;

/**
 * What happened to one object. Remembers one encoding while it is being delivered, so that all watchers that want the
 * same bytes share them. Delivered on one thread at a time.
 */
public final class Change {
    /** As watch events name it. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    private final Type type;
    private final CachedObject object;
    private final @Nullable CachedObject before;
    private volatile @Nullable Encoded encoded;

    @SuppressWarnings("ArrayRecordComponent") // shared with the watchers, never compared
    private record Encoded(EventEncoder encoder, byte[] bytes) {}

    Change(Type type, CachedObject object, @Nullable CachedObject before) {
        this.type = type;
        this.object = object;
        this.before = before;
    }

    public Type type() {
        return type;
    }

    /** The new state; of a deleted object the last one, with the revision of the delete. */
    public CachedObject object() {
        return object;
    }

    /** Null for an addition. */
    public @Nullable CachedObject before() {
        return before;
    }

    public long revision() {
        return object.revision();
    }

    /** The event's bytes as this encoder writes them. */
    public byte[] encoded(EventEncoder encoder) {
        Encoded known = encoded;
        if (known != null && known.encoder.equals(encoder)) {
            return known.bytes;
        }
        byte[] bytes = encoder.event(type.name(), object);
        if (encoder.shareable()) {
            encoded = new Encoded(encoder, bytes);
        }
        return bytes;
    }

    /** Lets the encoding go once everybody has it. */
    void forgetEncoding() {
        encoded = null;
    }
}
