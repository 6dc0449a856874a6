package io.atoll.cli;

import java.util.function.Consumer;

/** Runs an embedded host in this process. Implemented where everything is wired together. */
public interface EmbeddedHost {
    /**
     * Starts the host, calls {@code ready} with its URL once it answers, and blocks until the process is told to stop.
     *
     * @throws CommandFailure when it cannot start; nothing is left running
     */
    void run(HostDirectory directory, HostSettings settings, Consumer<String> ready);
}
