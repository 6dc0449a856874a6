package io.atoll.cli;

import io.atoll.client.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * An embedded host in a process and a folder of its own, for load drivers. Closing it stops the process and removes the
 * folder. One thread.
 */
public final class TemporaryHost implements AutoCloseable {
    private final HostDirectory directory;
    private final HostProcess process;
    private final HostSession session;

    private TemporaryHost(HostDirectory directory, HostProcess process, HostSession session) {
        this.directory = directory;
        this.process = process;
        this.session = session;
    }

    /** Starts a host and returns once it answers. */
    public static TemporaryHost start(HostSettings settings, Console console) {
        try {
            HostDirectory directory = new HostDirectory(Files.createTempDirectory("atoll-bench-"));
            settings.save(directory);
            HostProcess process = new HostProcess(directory);
            process.start(console);
            return new TemporaryHost(directory, process, HostSession.open(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As the host's cluster-admin. */
    public Client client() {
        return session.client();
    }

    public Path kubeconfig() {
        return directory.kubeconfig();
    }

    public ProcessHandle process() {
        return process.find().orElseThrow(() -> new CommandFailure("the host has gone; see " + directory.log()));
    }

    @Override
    public void close() {
        session.close();
        process.find().ifPresent(process::stop);
        try (var files = Files.walk(directory.path())) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
