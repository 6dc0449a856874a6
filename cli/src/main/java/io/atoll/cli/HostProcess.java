package io.atoll.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The process that serves a host directory, seen from outside: starts it, finds it, stops it. One thread.
 *
 * <p>The child says on its stdout what it is doing, a line each: {@code progress TEXT}, then {@code ready URL} or
 * {@code failed TEXT}. After that it writes to its log alone.
 */
final class HostProcess {
    private static final Duration STOP_WAIT_MAX = Duration.ofSeconds(40);

    private final HostDirectory directory;

    HostProcess(HostDirectory directory) {
        this.directory = directory;
    }

    /** The live process that serves the directory. */
    Optional<ProcessHandle> find() {
        try {
            String[] saved = Files.readString(directory.process()).strip().split(" ", -1);
            return ProcessHandle.of(Long.parseLong(saved[0]))
                    .filter(ProcessHandle::isAlive)
                    // A recycled process id has another start time.
                    .filter(handle -> handle.info()
                            .startInstant()
                            .map(start -> start.equals(Instant.parse(saved[1])))
                            .orElse(false));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Starts the host in a process of its own and returns its URL once it answers. */
    String start(Console console) {
        try {
            Files.createDirectories(directory.path());
            Process process = new ProcessBuilder(command())
                    .directory(directory.path().toFile())
                    .redirectError(
                            ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("ready ")) {
                        return line.substring("ready ".length());
                    } else if (line.startsWith("progress ")) {
                        console.step(line.substring("progress ".length()));
                    } else if (line.startsWith("failed ")) {
                        throw new CommandFailure(line.substring("failed ".length()));
                    }
                }
            }
            throw new CommandFailure("the host ended before it was ready; its last words are in " + directory.log());
        } catch (IOException e) {
            throw new CommandFailure("cannot start the host in " + directory.path() + ": " + e.getMessage());
        }
    }

    /** Stops the process and waits until it has gone. */
    void stop(ProcessHandle handle) {
        handle.destroy();
        try {
            handle.onExit().get(STOP_WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new CommandFailure("process " + handle.pid() + " has not stopped after " + STOP_WAIT_MAX.toSeconds()
                    + " s; see " + directory.log() + ", or end it with: kill -9 " + handle.pid());
        } catch (ExecutionException e) {
            throw new CommandFailure("cannot wait for process " + handle.pid() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted");
        }
    }

    /** This JVM again, with the flags of a long-running server, in a session of its own. */
    private List<String> command() {
        List<String> command = new ArrayList<>();
        Path setsid = Path.of("/usr/bin/setsid");
        command.add(Files.isExecutable(setsid) ? setsid.toString() : "nohup");
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(System.getProperty("atoll.host.flags", "").split(" ", -1)));
        command.removeIf(String::isEmpty);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(System.getProperty("atoll.main", "io.atoll.app.Main"));
        command.add("serve");
        command.add("--dir");
        command.add(directory.path().toString());
        return command;
    }
}
