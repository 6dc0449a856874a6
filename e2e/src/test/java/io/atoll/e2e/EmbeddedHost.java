package io.atoll.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A user's machine with an embedded host: a home of its own, started and spoken to by the launcher alone. Closing it
 * takes the host down and removes the home.
 */
final class EmbeddedHost implements AutoCloseable {
    static final Path REPOSITORY = repository();

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Path home;
    private final Shell shell;

    private EmbeddedHost(Path home, Shell shell) {
        this.home = home;
        this.shell = shell;
    }

    /** A fresh machine on which nothing runs. */
    static EmbeddedHost fresh() {
        try {
            Path home = Files.createTempDirectory("atoll-e2e-" + COUNT.incrementAndGet() + "-");
            Map<String, String> environment = new HashMap<>();
            environment.put("HOME", home.toString());
            environment.put("KUBECONFIG", home.resolve("kubeconfig").toString());
            environment.put("JAVA_HOME", System.getProperty("java.home"));
            // The build's own JVM flags are not the launcher's.
            environment.put("JAVA_TOOL_OPTIONS", "");
            environment.put("MAVEN_OPTS", "");
            return new EmbeddedHost(home, new Shell(home, environment));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A fresh machine with a host that answers. */
    static EmbeddedHost up(String... flags) {
        EmbeddedHost host = fresh();
        try {
            List<String> command = new ArrayList<>(List.of("up", "--detach"));
            command.addAll(List.of(flags));
            host.atoll(command.toArray(String[]::new)).ok();
            return host;
        } catch (AssertionError | RuntimeException e) {
            host.close();
            throw e;
        }
    }

    Path home() {
        return home;
    }

    /** The embedded host's own folder. */
    Path folder() {
        return home.resolve(".atoll");
    }

    Shell shell() {
        return shell;
    }

    /** Runs {@code ./atoll}. */
    Shell.Result atoll(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(REPOSITORY.resolve("atoll").toString());
        command.addAll(List.of(arguments));
        return shell.run("", command);
    }

    /** kubectl as the host's cluster-admin. */
    Kubectl hostKubectl(String version) {
        return new Kubectl(version, folder().resolve("host.kubeconfig"), shell);
    }

    /** kubectl with the credentials that {@code atoll connect --print} gives. */
    Kubectl tenantKubectl(String version, String tenant) {
        return tenantKubectl(version, tenant, "vcluster-" + tenant);
    }

    Kubectl tenantKubectl(String version, String tenant, String namespace) {
        Path file = home.resolve(tenant + "." + COUNT.incrementAndGet() + ".kubeconfig");
        try {
            Files.writeString(
                    file,
                    atoll("connect", tenant, "-n", namespace, "--print").ok().out());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Kubectl(version, file, shell);
    }

    /** The process that serves the host. */
    ProcessHandle process() {
        try {
            String pid = Files.readString(folder().resolve("host.pid")).strip().split(" ", -1)[0];
            return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the host's process as a power cut would. */
    void kill() {
        ProcessHandle process = process();
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        atoll("down");
        try (var files = Files.walk(home)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isExecutable(folder.resolve("atoll"))) {
            folder = java.util.Objects.requireNonNull(folder.getParent(), "no launcher above the working folder");
        }
        return folder;
    }
}
