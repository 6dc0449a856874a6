package io.atoll.client;

import tools.jackson.databind.node.ObjectNode;

/**
 * An object as a cache holds it: encoded bytes, parsed each time it is asked for. Immutable; any thread.
 *
 * <p>{@link #tree()} gives the caller a tree of its own to change.
 */
public interface StoredObject {
    /** What the object says of itself, read without parsing the rest. */
    ObjectMetadata metadata();

    default String namespace() {
        return metadata().namespace();
    }

    default String name() {
        return metadata().name();
    }

    default String resourceVersion() {
        return metadata().resourceVersion();
    }

    /** Shared; never to be mutated. */
    byte[] json();

    /** A fresh tree. */
    ObjectNode tree();
}
