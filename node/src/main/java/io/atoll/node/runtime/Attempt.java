package io.atoll.node.runtime;

import java.time.Instant;
import java.util.Optional;

/** One run of a container, going on or over. Any thread. */
public interface Attempt {
    /** Counts the container's runs from 0, so it is the restart count of the last one. */
    int number();

    /** As in {@code containerStatuses[].containerID}. */
    String id();

    Instant startedAt();

    /** Empty while it runs. */
    Optional<Exit> exit();

    /** Asks it to end: SIGTERM. */
    void terminate();

    /** Ends it: SIGKILL. */
    void kill();
}
