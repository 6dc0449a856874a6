package io.atoll.node.runtime;

import io.atoll.base.Timers;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a container as a local process, kept in a folder of its own: the shim's and the process's pid, the exit
 * code, the pipes, the log. Any thread.
 *
 * <p>Two threads per run read its pipes; they block in the kernel, outside the reach of virtual threads.
 */
final class ProcessAttempt implements Attempt {
    /** A process that has left the container may hold its pipes; its output is not waited for any longer. */
    private static final long DRAIN_MILLIS_MAX = 1_000;

    /** There when the end of the log stands in for a message that the container did not write. */
    static final String MESSAGE_FROM_LOG = "message-from-log";

    private static final int MESSAGE_BYTES_MAX = 4_096;
    private static final int MESSAGE_LOG_LINES = 80;
    private static final int MESSAGE_LOG_BYTES_MAX = 2_048;
    private static final Logger LOG = LoggerFactory.getLogger(ProcessAttempt.class);

    private final String key;
    private final String container;
    private final int number;
    private final Path dir;
    private final Timers timers;
    private final Runnable onExit;
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch drained = new CountDownLatch(2);
    private volatile @Nullable ContainerLog log;
    private @Nullable FileChannel input;
    private volatile @Nullable Exit exit;
    private boolean ending;

    ProcessAttempt(String key, String container, int number, Path dir, Timers timers, Runnable onExit) {
        this.key = key;
        this.container = container;
        this.number = number;
        this.dir = dir;
        this.timers = timers;
        this.onExit = onExit;
    }

    /** Names it in the pipe for events: {@code UID/CONTAINER/NUMBER}. */
    String key() {
        return key;
    }

    String container() {
        return container;
    }

    Path dir() {
        return dir;
    }

    Path logFolder() {
        return dir.resolve("log");
    }

    @Nullable
    ContainerLog log() {
        return log;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public String id() {
        return "process://" + key.replace('/', '-');
    }

    @Override
    public Instant startedAt() {
        return modified(Files.exists(dir.resolve("child")) ? dir.resolve("child") : dir);
    }

    @Override
    public Optional<Exit> exit() {
        return Optional.ofNullable(exit);
    }

    @Override
    public void terminate() {
        signal(Libc.SIGTERM);
    }

    @Override
    public void kill() {
        signal(Libc.SIGKILL);
    }

    private void signal(int signal) {
        if (exit == null) {
            child().ifPresent(child -> child.signalGroup(signal));
        }
    }

    /** The container's first process, once it has one. */
    Optional<ProcessStamp> child() {
        return ProcessStamp.read(dir.resolve("child"));
    }

    Optional<ProcessStamp> shim() {
        return ProcessStamp.read(dir.resolve("shim"));
    }

    boolean exited() {
        return Files.exists(dir.resolve("exit"));
    }

    /** Opens the reading ends of the pipes and copies what comes into the log. */
    void openPipes(long logFileBytesMax, int logFilesMax) throws IOException {
        ContainerLog opened = new ContainerLog(logFolder(), logFileBytesMax, logFilesMax, timers);
        log = opened;
        pump(opened, "stdout", false);
        pump(opened, "stderr", true);
        Path stdin = dir.resolve("stdin");
        if (Files.exists(stdin)) {
            input = FileChannel.open(stdin, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
    }

    private void pump(ContainerLog to, String name, boolean stderr) throws IOException {
        Path pipe = dir.resolve(name);
        // Opened for both first: an open for reading alone would wait for a writer.
        FileChannel keeper = FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileInputStream in = new FileInputStream(pipe.toFile());
        Thread.ofPlatform()
                .daemon()
                .name("log " + key + " " + name)
                .stackSize(128 << 10)
                .start(() -> {
                    try (in) {
                        byte[] buffer = new byte[16 << 10];
                        for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                            to.append(stderr, Arrays.copyOf(buffer, count));
                        }
                    } catch (IOException e) {
                        LOG.warn("log of {} stops: {}", key, e.getMessage());
                    } finally {
                        drained.countDown();
                    }
                });
        // Held until the shim holds its own end: else the reader would see the end of the stream at once.
        Thread.startVirtualThread(() -> {
            try (keeper) {
                started.await();
            } catch (InterruptedException | IOException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** The shim has started the process, or nobody ever will. */
    void onStarted() {
        started.countDown();
    }

    boolean awaitStarted(long seconds) throws InterruptedException {
        return started.await(seconds, TimeUnit.SECONDS);
    }

    /** The shim has written the exit code: lets it go, takes the last output, and tells whoever waits. */
    void onExited() {
        synchronized (this) {
            if (ending) {
                return;
            }
            ending = true;
        }
        started.countDown();
        Thread.startVirtualThread(() -> {
            acknowledge();
            finish(readExit());
        });
    }

    /** The process is gone and nobody saw its exit code. */
    void onLost() {
        synchronized (this) {
            if (ending) {
                return;
            }
            ending = true;
        }
        started.countDown();
        Instant now = timers.instant();
        Exit lost = new Exit(
                137,
                "ContainerStatusUnknown",
                "The container could not be located when the pod was terminated",
                startedAt(),
                now);
        Thread.startVirtualThread(() -> finish(lost));
    }

    private void finish(Exit how) {
        ContainerLog open = log;
        if (open != null) {
            try {
                if (!drained.await(DRAIN_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                    LOG.debug("{} has ended but its pipes are still held", key);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            try {
                open.close();
            } catch (IOException e) {
                LOG.warn("cannot close the log of {}: {}", key, e.getMessage());
            }
        }
        closeInput();
        exit = withLogTail(how);
        onExit.run();
    }

    /** Records an end that needs no waiting for: seen on disk, or the process never came to be. */
    void ended(Exit how) {
        ending = true;
        started.countDown();
        closeInput();
        ContainerLog open = log;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.warn("cannot close the log of {}: {}", key, e.getMessage());
            }
        }
        exit = how;
    }

    /** What the exit file says. */
    Exit readExit() {
        Path file = dir.resolve("exit");
        int code = 255;
        try {
            code = Integer.parseInt(Files.readString(file).strip());
        } catch (IOException | NumberFormatException e) {
            LOG.warn("unreadable exit code of {}: {}", key, e.getMessage());
        }
        try {
            String mountError = Files.readString(dir.resolve("mount-error")).strip();
            return new Exit(128, "StartError", mountError, startedAt(), modified(file));
        } catch (IOException _) {
            return Exit.of(code, terminationMessage(), startedAt(), modified(file));
        }
    }

    private String terminationMessage() {
        try (InputStream in = Files.newInputStream(dir.resolve("termination-log"))) {
            return new String(in.readNBytes(MESSAGE_BYTES_MAX), StandardCharsets.UTF_8);
        } catch (IOException _) {
            return "";
        }
    }

    private Exit withLogTail(Exit how) {
        if (how.code() == 0 || !how.message().isEmpty() || !Files.exists(dir.resolve(MESSAGE_FROM_LOG))) {
            return how;
        }
        try {
            String tail = LogReader.tail(logFolder(), MESSAGE_LOG_LINES, MESSAGE_LOG_BYTES_MAX);
            return new Exit(how.code(), how.reason(), tail, how.startedAt(), how.finishedAt());
        } catch (IOException e) {
            LOG.debug("no end of the log of {}: {}", key, e.getMessage());
            return how;
        }
    }

    boolean onTerminal() {
        return Files.exists(dir.resolve("tty"));
    }

    /** Tells the container's terminal its size. */
    void resize(int columns, int rows) {
        // The terminal's master belongs to script(1); its other side is what script's child reads from.
        child().ifPresent(script -> ProcessHandle.of(script.pid())
                .flatMap(handle -> handle.children().findFirst())
                .ifPresent(inside -> {
                    try {
                        Path device = Files.readSymbolicLink(Path.of("/proc/" + inside.pid() + "/fd/0"));
                        if (device.startsWith("/dev/pts")) {
                            new ProcessBuilder(
                                            "stty",
                                            "-F",
                                            device.toString(),
                                            "cols",
                                            Integer.toString(columns),
                                            "rows",
                                            Integer.toString(rows))
                                    .start();
                        }
                    } catch (IOException e) {
                        LOG.debug("cannot resize the terminal of {}: {}", key, e.getMessage());
                    }
                }));
    }

    private void acknowledge() {
        try (FileChannel ack =
                FileChannel.open(dir.resolve("ack"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ack.write(java.nio.ByteBuffer.wrap(new byte[] {'\n'}));
            // The pipe keeps the byte as long as one side holds it: the shim does until it has read it.
        } catch (IOException e) {
            LOG.debug("cannot let the shim of {} go: {}", key, e.getMessage());
        }
    }

    /** Where attach writes what the caller types; empty when the container has no standard input. */
    synchronized Optional<OutputStream> input() {
        return input == null ? Optional.empty() : Optional.of(Channels.newOutputStream(input));
    }

    /** Ends the container's standard input. */
    synchronized void closeInput() {
        if (input != null) {
            try {
                input.close();
            } catch (IOException e) {
                LOG.debug("cannot close the input of {}: {}", key, e.getMessage());
            }
            input = null;
        }
    }

    private Instant modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException _) {
            return timers.instant();
        }
    }
}
