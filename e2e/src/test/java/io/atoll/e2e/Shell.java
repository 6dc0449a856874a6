package io.atoll.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs real programs as a user's shell would. */
final class Shell {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path folder;
    private final Map<String, String> environment;

    Shell(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = Map.copyOf(environment);
    }

    /** What a program did. */
    record Result(List<String> command, int exit, String out, String err) {
        Result ok() {
            assertThat(exit)
                    .as("%s%nstdout: %s%nstderr: %s", String.join(" ", command), out, err)
                    .isZero();
            return this;
        }

        /** Failed with this code and said so in one line on stderr. */
        Result failed(int code) {
            assertThat(exit)
                    .as("%s%nstdout: %s%nstderr: %s", String.join(" ", command), out, err)
                    .isEqualTo(code);
            return this;
        }

        String text() {
            return out.strip();
        }
    }

    Result run(String... command) {
        return run("", List.of(command));
    }

    /** Runs with a text on stdin; fails the test when the program outlives {@link #PATIENCE}. */
    Result run(String stdin, List<String> command) {
        Process process = start(command);
        try {
            CompletableFuture<String> out = read(process.getInputStream());
            CompletableFuture<String> err = read(process.getErrorStream());
            try (var input = process.getOutputStream()) {
                input.write(stdin.getBytes(StandardCharsets.UTF_8));
            } catch (IOException ignored) {
                // A program that does not read its input is free to close it.
            }
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", command) + " did not end in " + PATIENCE + "\nstdout: "
                        + out.join() + "\nstderr: " + err.join());
            }
            return new Result(command, process.exitValue(), out.join(), err.join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Starts a program whose output the caller reads while it runs. */
    Process start(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command)).directory(folder.toFile());
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Shell with(String name, String value) {
        Map<String, String> more = new java.util.HashMap<>(environment);
        more.put(name, value);
        return new Shell(folder, more);
    }

    private static CompletableFuture<String> read(InputStream stream) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                text.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                text.completeExceptionally(e);
            }
        });
        return text;
    }
}
