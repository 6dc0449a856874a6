package io.atoll.apiserver;

import io.atoll.model.GroupResource;
import java.util.List;
import java.util.Optional;

/**
 * Reads of a cluster's watch cache by code in the same process. Any thread.
 *
 * <p>Bytes are the encoded JSON of an object in its storage version, with resourceVersion; shared, never to be mutated.
 */
public interface ObjectReader {
    Optional<byte[]> get(GroupResource resource, String namespace, String name);

    /** All objects of a resource in a namespace; an empty namespace means all of them. */
    List<byte[]> list(GroupResource resource, String namespace);

    /**
     * Delivers the present objects as added, then every change, in revision order. The listener must not block.
     *
     * <p>Resources that are not served yet (a CRD to come) deliver nothing until they are.
     */
    Registration subscribe(GroupResource resource, Listener listener);

    /** Receives changes. Bytes as of the class comment. */
    interface Listener {
        void onAdded(byte[] object);

        void onUpdated(byte[] before, byte[] object);

        void onDeleted(byte[] last);
    }

    /** Ends a subscription. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
