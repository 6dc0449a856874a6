package io.atoll.apiserver.registry;

import io.atoll.model.GroupVersionKind;
import java.util.List;
import java.util.Optional;

/**
 * A live view of what one cluster serves: the built-in types and those of its CustomResourceDefinitions. Any thread.
 *
 * <p>Each answer shows one moment. {@link #generation()} lets a reader that caches tell whether its copy is stale.
 */
public interface Resources {
    /** Everything served, built-in types first, each group's preferred version first. */
    List<ServedResource> all();

    Optional<ServedResource> find(String group, String version, String resource);

    Optional<ServedResource> find(GroupVersionKind kind);

    /** Versions of a group, preferred one first; empty when the group is not served. */
    List<String> versions(String group);

    /** Grows with each change of what is served. */
    long generation();

    /** Runs the action after each change, until the registration is closed. The action must not block. */
    Registration onChange(Runnable action);

    /** Ends a notification. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
