package io.atoll.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A {@link StoredObject} over shared bytes. Any thread.
 *
 * <p>Metadata is read at the first question and then kept; reading it twice in a race is harmless.
 */
public final class EncodedObject implements StoredObject {
    private final byte[] json;
    private volatile @Nullable ObjectMetadata metadata;

    @SuppressWarnings("ArrayAsParameter")
    public EncodedObject(byte[] json) {
        this.json = json;
    }

    @Override
    public ObjectMetadata metadata() {
        ObjectMetadata known = metadata;
        if (known == null) {
            known = ObjectMetadata.read(json);
            metadata = known;
        }
        return known;
    }

    @Override
    public byte[] json() {
        return json;
    }

    @Override
    public ObjectNode tree() {
        return JsonBytes.object(json);
    }

    @Override
    public String toString() {
        ObjectMetadata known = metadata();
        return known.namespace() + "/" + known.name() + "@" + known.resourceVersion();
    }
}
