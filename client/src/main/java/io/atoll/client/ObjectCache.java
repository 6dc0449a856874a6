package io.atoll.client;

import io.atoll.model.ResourceType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The read side of a controller: a view of one cluster that trails it by moments. Any thread.
 *
 * <p>Over HTTP it is an informer (list, then watch); in the API server's own process it is the server's watch cache,
 * without a copy.
 */
public interface ObjectCache extends AutoCloseable {
    Optional<StoredObject> get(ResourceType type, String namespace, String name);

    /** All objects in a namespace; an empty namespace means all of them. */
    List<StoredObject> list(ResourceType type, String namespace);

    /**
     * Calls the listener with every present object as an addition, then with every change, in order. Returns once the
     * present ones have been delivered. The listener must not block.
     */
    Subscription subscribe(ResourceType type, Listener listener);

    @Override
    void close();

    /** Receives changes. Additions have no {@code before}, deletions no {@code after}. */
    interface Listener {
        void onChange(@Nullable StoredObject before, @Nullable StoredObject after);
    }

    /** Ends a subscription. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
