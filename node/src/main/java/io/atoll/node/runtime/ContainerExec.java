package io.atoll.node.runtime;

import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.ExecStreams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs further commands in a running container: with its variables, in its working folder and mount namespace, in a
 * session of their own. Any thread.
 */
final class ContainerExec {
    private static final int CAPTURE_BYTES_MAX = 10 << 10;
    private static final Logger LOG = LoggerFactory.getLogger(ContainerExec.class);

    private final Toolbox tools;

    ContainerExec(Toolbox tools) {
        this.tools = tools;
    }

    /** Runs a command over the caller's streams; returns its exit code. */
    int run(ProcessAttempt attempt, List<String> command, boolean stdin, boolean tty, ExecStreams streams)
            throws IOException {
        return tty ? runOnTerminal(attempt, command, streams) : runOnPipes(attempt, command, stdin, streams);
    }

    /** Runs a command and keeps the beginning of what it prints. */
    PodRuntime.ProbeResult capture(ProcessAttempt attempt, List<String> command, int timeoutSeconds) {
        try {
            Process process = builder(attempt, command, List.of())
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            Thread reader = Thread.startVirtualThread(() -> copy(process.getInputStream(), new Bounded(output)));
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                killSession(process);
                return new PodRuntime.ProbeResult(
                        false, "command timed out after " + timeoutSeconds + "s: " + String.join(" ", command));
            }
            reader.join(java.time.Duration.ofMillis(500));
            String text;
            synchronized (output) {
                text = output.toString(StandardCharsets.UTF_8);
            }
            return new PodRuntime.ProbeResult(process.exitValue() == 0, text.strip());
        } catch (IOException | ApiException e) {
            return new PodRuntime.ProbeResult(false, String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new PodRuntime.ProbeResult(false, "interrupted");
        }
    }

    private int runOnPipes(ProcessAttempt attempt, List<String> command, boolean stdin, ExecStreams streams)
            throws IOException {
        Process process = builder(attempt, command, List.of()).start();
        streams.onClose(() -> killSession(process));
        CountDownLatch copied = new CountDownLatch(2);
        start("exec stdout", process.getInputStream(), streams.stdout(), copied);
        start("exec stderr", process.getErrorStream(), streams.stderr(), copied);
        Thread.startVirtualThread(() -> {
            try (OutputStream to = process.getOutputStream()) {
                if (stdin) {
                    copy(streams.stdin(), to);
                }
            } catch (IOException e) {
                LOG.debug("standard input of an exec ends: {}", e.getMessage());
            }
        });
        int code = await(process);
        await(copied);
        return code;
    }

    private int runOnTerminal(ProcessAttempt attempt, List<String> command, ExecStreams streams) throws IOException {
        try (Terminal terminal = Terminal.open()) {
            streams.onResize(terminal::resize);
            // A session without a terminal takes the first that it opens.
            List<String> onTerminal = new ArrayList<>(tools.shell());
            onTerminal.addAll(List.of("-c", "exec <>\"$0\" >&0 2>&0 || exit 126; exec \"$@\"", terminal.device()));
            Process process = builder(attempt, command, onTerminal)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            streams.onClose(() -> killSession(process));
            Thread output = Thread.ofPlatform()
                    .daemon()
                    .name("exec terminal")
                    .stackSize(128 << 10)
                    .start(() -> {
                        try {
                            terminal.readAll(chunk -> {
                                streams.stdout().write(chunk);
                                streams.stdout().flush();
                            });
                        } catch (IOException e) {
                            LOG.debug("the caller of an exec has gone: {}", e.getMessage());
                            killSession(process);
                        }
                    });
            Thread.startVirtualThread(() -> {
                try {
                    copy(streams.stdin(), chunk -> terminal.write(chunk));
                } catch (IOException e) {
                    LOG.debug("terminal input ends: {}", e.getMessage());
                }
            });
            int code = await(process);
            // What is left of the session (a job in the background, say) loses its terminal with its leader.
            killSession(process);
            join(output);
            return code;
        }
    }

    private ProcessBuilder builder(ProcessAttempt attempt, List<String> command, List<String> wrapper)
            throws IOException {
        ProcessStamp child = attempt.child()
                .filter(ProcessStamp::alive)
                .orElseThrow(() -> new ApiException(
                        StatusReason.BadRequest, "container " + attempt.container() + " is not running"));
        Map<String, String> variables = decode(Files.readAllBytes(attempt.dir().resolve("env")));
        String cwd = Files.readString(attempt.dir().resolve("cwd"));
        List<String> line = new ArrayList<>(List.of(tools.setsid()));
        line.addAll(wrapper);
        boolean namespaced = Files.exists(attempt.dir().resolve("namespaced"));
        if (namespaced) {
            boolean user = Files.readString(attempt.dir().resolve("namespaced")).equals("user");
            line.add(Executables.find("nsenter", "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin")
                    .orElse("nsenter"));
            line.addAll(List.of("-t", Long.toString(child.pid())));
            if (user) {
                line.addAll(List.of("-U", "--preserve-credentials"));
            }
            line.addAll(List.of("-m", "-r", "--"));
            line.addAll(tools.shell());
            line.addAll(List.of("-c", "cd \"$0\" && exec \"$@\"", cwd));
        }
        boolean relative = command.getFirst().indexOf('/') > 0;
        if (!namespaced
                && !relative
                && Executables.find(command.getFirst(), variables.getOrDefault("PATH", ""))
                        .isEmpty()) {
            throw notFound(command.getFirst());
        }
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line);
        if (Files.isDirectory(Path.of(cwd))) {
            builder.directory(Path.of(cwd).toFile());
        }
        builder.environment().clear();
        builder.environment().putAll(variables);
        if (!wrapper.isEmpty()) {
            builder.environment().putIfAbsent("TERM", "xterm");
        }
        return builder;
    }

    private static ApiException notFound(String program) {
        return new ApiException(
                StatusReason.InternalError,
                "failed to exec in container: unable to start container process: exec: \"" + program
                        + "\": executable file not found in $PATH");
    }

    private static Map<String, String> decode(byte[] environment) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String entry : new String(environment, StandardCharsets.UTF_8).split("\0")) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                variables.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return variables;
    }

    /** The process leads its session, so its group is what it has started and not moved elsewhere. */
    private static void killSession(Process process) {
        Libc.kill(-process.pid(), Libc.SIGHUP);
        Libc.kill(-process.pid(), Libc.SIGKILL);
    }

    private static void start(String name, InputStream from, OutputStream to, CountDownLatch copied) {
        Thread.ofVirtual().name(name).start(() -> {
            copy(from, to);
            copied.countDown();
        });
    }

    private static void copy(InputStream from, OutputStream to) {
        try {
            copy(from, chunk -> {
                to.write(chunk);
                to.flush();
            });
        } catch (IOException e) {
            LOG.debug("a stream of an exec ends: {}", e.getMessage());
        }
    }

    private static void copy(InputStream from, Terminal.Chunks to) throws IOException {
        byte[] buffer = new byte[16 << 10];
        for (int count = from.read(buffer); count > 0; count = from.read(buffer)) {
            to.accept(java.util.Arrays.copyOf(buffer, count));
        }
    }

    private static int await(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            killSession(process);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            // A child left in the background may hold the pipes for good.
            latch.await(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void join(Thread thread) throws IOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Keeps the beginning and drops the rest. */
    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream kept;

        Bounded(ByteArrayOutputStream kept) {
            this.kept = kept;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            synchronized (kept) {
                kept.write(bytes, from, Math.max(0, Math.min(length, CAPTURE_BYTES_MAX - kept.size())));
            }
        }
    }
}
