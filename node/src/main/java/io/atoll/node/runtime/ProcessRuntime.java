package io.atoll.node.runtime;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.model.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs containers as processes of this machine. Nothing isolates them: they see its files, its network and its
 * processes; only their mounts are their own, where the machine allows mount namespaces.
 *
 * <p>Each run is started through a shim (a shell script) that outlives this process and writes the exit code to a file,
 * so an agent that comes back finds every run as it is: going on, over, or never begun. No run is begun twice.
 *
 * <p>Layout below a pod's folder: {@code volumes/NAME}, {@code containers/NAME/NUMBER/} with {@code shim}, {@code child},
 * {@code exit}, the pipes, {@code env}, {@code work} and {@code log/}.
 */
public final class ProcessRuntime implements PodRuntime {
    private static final long START_SECONDS_MAX = 30;
    private static final Duration SHIM_CHECK = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(ProcessRuntime.class);

    private final Toolbox tools;
    private final Timers timers;
    private final long logFileBytesMax;
    private final int logFilesMax;
    private final Environment environment;
    private final Volumes volumes;
    private final Path events;
    private final FileChannel eventsChannel;
    private final Map<String, ProcessAttempt> attempts = new ConcurrentHashMap<>();
    private final ProcessSetup setup;
    private final ContainerExec exec;
    private volatile boolean closed;

    /**
     * Readies the machine's side.
     *
     * @param dir a folder of the runtime's own
     * @param serviceVariables variables of every container that lead to the API server
     */
    public ProcessRuntime(
            Client client,
            Path dir,
            Map<String, String> serviceVariables,
            long logFileBytesMax,
            int logFilesMax,
            Timers timers)
            throws IOException {
        this.timers = timers;
        this.logFileBytesMax = logFileBytesMax;
        this.logFilesMax = logFilesMax;
        Files.createDirectories(dir);
        this.tools = Toolbox.find(dir);
        this.environment = new Environment(client, serviceVariables);
        this.volumes = new Volumes(client, dir.resolve("claims"), timers);
        this.setup = new ProcessSetup(tools, volumes);
        this.exec = new ContainerExec(tools);
        this.events = dir.resolve("events");
        if (!Files.exists(events)) {
            Libc.makeFifo(events);
        }
        this.eventsChannel = FileChannel.open(events, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Thread.ofPlatform()
                .daemon()
                .name("container events")
                .stackSize(256 << 10)
                .start(this::readEvents);
    }

    /** How commands get into running containers. */
    ContainerExec exec() {
        return exec;
    }

    /** Removes the contents of all claims but these. */
    public void retainClaims(Set<String> uids) throws IOException {
        volumes.retainClaims(uids);
    }

    @Override
    public void prepare(PodSite site) throws SetupException {
        try {
            Files.createDirectories(site.dir());
            AtomicFolder.permit(site.dir(), 0711);
            Path saved = site.dir().resolve("pod.json");
            if (!Files.exists(saved)) {
                // Should the object go while no agent runs, this says what there is to end.
                Path fresh = site.dir().resolve("pod.json.tmp");
                Files.deleteIfExists(fresh);
                writeSecretly(fresh, Json.encode(site.pod()));
                Files.move(fresh, saved, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new SetupException("FailedCreatePodSandBox", "cannot make the pod's folder: " + e.getMessage());
        }
        volumes.prepare(site);
    }

    @Override
    public Attempt start(PodSite site, ObjectNode container, int number, Runnable onExit) throws SetupException {
        String name = container.path("name").asString("");
        Path dir = folder(site, name).resolve(Integer.toString(number));
        Path root = dir.resolve("root");
        Map<String, String> variables = environment.of(site, container, root);
        String key = site.uid() + "/" + name + "/" + number;
        ProcessAttempt attempt = new ProcessAttempt(key, name, number, dir, timers, onExit);
        try {
            // A folder that is there already belongs to a start that came to nothing: adopt() found no process in it.
            AtomicFolder.deleteTree(dir);
            Files.createDirectories(dir.resolve("work"));
            AtomicFolder.permit(dir, 0711);
            Files.createDirectories(root);
            List<String> command = ProcessSetup.command(container, variables);
            List<Mount> mounts = setup.mounts(site, container, variables, dir);
            ProcessSetup.linkBelowRoot(mounts, root);
            Path workingDir = setup.workingDir(container, variables, dir, root);
            writeSecretly(dir.resolve("env"), Toolbox.encodeEnvironment(variables));
            Files.writeString(dir.resolve("cwd"), workingDir.toString());
            for (String pipe : List.of("stdout", "stderr", "ack")) {
                Libc.makeFifo(dir.resolve(pipe));
            }
            boolean tty =
                    container.path("tty").asBoolean(false) && !tools.terminal().isEmpty();
            if (tty) {
                Files.createFile(dir.resolve("tty"));
            }
            if (tty || container.path("stdin").asBoolean(false)) {
                Libc.makeFifo(dir.resolve("stdin"));
            }
            if (container.path("terminationMessagePolicy").asString("").equals("FallbackToLogsOnError")) {
                Files.createFile(dir.resolve(ProcessAttempt.MESSAGE_FROM_LOG));
            }
            attempts.put(key, attempt);
            attempt.openPipes(logFileBytesMax, logFilesMax);
            boolean namespaced = tools.namespaces() && !mounts.isEmpty();
            if (ProcessSetup.surelyMissing(
                    command.getFirst(), variables.getOrDefault("PATH", ""), namespaced ? mounts : List.of())) {
                return failed(attempt, "exec: \"" + command.getFirst() + "\": executable file not found in $PATH");
            }
            spawn(attempt, tty ? tools.onTerminal(command) : command, mounts, workingDir, namespaced, variables);
            if (!attempt.awaitStarted(START_SECONDS_MAX)) {
                return giveUp(attempt);
            }
            return attempt;
        } catch (IOException e) {
            attempts.remove(key);
            attempt.ended(Exit.of(128, "", timers.instant(), timers.instant()));
            throw new SetupException("CreateContainerError", String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SetupException("CreateContainerError", "interrupted");
        }
    }

    private void spawn(
            ProcessAttempt attempt,
            List<String> command,
            List<Mount> mounts,
            Path workingDir,
            boolean namespaced,
            Map<String, String> variables)
            throws IOException {
        Path dir = attempt.dir();
        List<String> arguments = new ArrayList<>(List.of(dir.toString(), events.toString(), attempt.key()));
        if (namespaced) {
            Files.writeString(dir.resolve("namespaced"), tools.userNamespace() ? "user" : "mount");
            arguments.addAll(tools.unshare());
            arguments.addAll(tools.script(MountScript.write(dir, mounts, workingDir), List.of()));
        }
        arguments.addAll(command);
        List<String> line = new ArrayList<>(List.of(tools.setsid()));
        line.addAll(tools.script(tools.shim(), arguments));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory((namespaced ? dir : workingDir).toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("shim.log").toFile());
        builder.environment().clear();
        builder.environment().putAll(variables);
        // A shim that is killed says nothing: its own end is the sign.
        builder.start().onExit().thenRun(() -> recheck(attempt));
    }

    private Attempt failed(ProcessAttempt attempt, String message) {
        Instant now = timers.instant();
        attempts.remove(attempt.key());
        attempt.ended(new Exit(128, "StartError", message, now, now));
        return attempt;
    }

    /** The shim did not come up in time: takes its place, so that it does not start the container later on. */
    private Attempt giveUp(ProcessAttempt attempt) throws IOException {
        if (claim(attempt)) {
            return failed(attempt, "the process did not start within " + START_SECONDS_MAX + " s");
        }
        return attempt;
    }

    private static boolean claim(ProcessAttempt attempt) throws IOException {
        try {
            Files.createFile(attempt.dir().resolve("shim"));
            return true;
        } catch (java.nio.file.FileAlreadyExistsException _) {
            return false;
        }
    }

    @Override
    public List<Attempt> adopt(PodSite site, ObjectNode container, Runnable onExit) {
        String name = container.path("name").asString("");
        List<Attempt> found = new ArrayList<>();
        List<Integer> numbers = numbers(folder(site, name));
        for (int number : numbers) {
            Path dir = folder(site, name).resolve(Integer.toString(number));
            String key = site.uid() + "/" + name + "/" + number;
            ProcessAttempt known = attempts.get(key);
            if (known != null) {
                found.add(known);
                continue;
            }
            ProcessAttempt attempt = new ProcessAttempt(key, name, number, dir, timers, onExit);
            try {
                if (adopt(attempt)) {
                    found.add(attempt);
                }
            } catch (IOException e) {
                LOG.warn("cannot take over {}: {}", key, e.getMessage());
                attempt.onLost();
                found.add(attempt);
            }
        }
        return found;
    }

    /** Finds out how a run stands; false when it never began. */
    private boolean adopt(ProcessAttempt attempt) throws IOException {
        // Before the first look at the disk: from here on the shim's word reaches the attempt.
        attempts.put(attempt.key(), attempt);
        if (!Files.exists(attempt.dir().resolve("shim")) && claim(attempt)) {
            attempts.remove(attempt.key());
            AtomicFolder.deleteTree(attempt.dir());
            return false;
        }
        boolean shimAlive = attempt.shim().map(ProcessStamp::alive).orElse(false);
        if (shimAlive) {
            attempt.openPipes(logFileBytesMax, logFilesMax);
        }
        if (attempt.exited()) {
            if (shimAlive) {
                attempt.onExited();
            } else {
                attempts.remove(attempt.key());
                attempt.ended(attempt.readExit());
            }
        } else if (shimAlive) {
            attempt.onStarted();
            keepChecking(attempt);
        } else {
            attempt.child().ifPresent(child -> child.signalGroup(Libc.SIGKILL));
            attempts.remove(attempt.key());
            attempt.onLost();
        }
        return true;
    }

    /** The shim of an earlier agent is no child of this process, so nothing tells of its death: it is looked at. */
    private void keepChecking(ProcessAttempt attempt) {
        timers.after(SHIM_CHECK, () -> {
            recheck(attempt);
            if (!closed && attempt.exit().isEmpty()) {
                keepChecking(attempt);
            }
        });
    }

    /** Sees to a run whose shim is gone. */
    private void recheck(ProcessAttempt attempt) {
        if (!closed
                && attempt.exit().isEmpty()
                && !attempt.shim().map(ProcessStamp::alive).orElse(false)) {
            attempts.remove(attempt.key());
            if (attempt.exited()) {
                attempt.onExited();
            } else {
                attempt.child().ifPresent(child -> child.signalGroup(Libc.SIGKILL));
                attempt.onLost();
            }
        }
    }

    @Override
    public void forget(PodSite site, String container, int number) {
        attempts.remove(site.uid() + "/" + container + "/" + number);
        AtomicFolder.deleteTree(folder(site, container).resolve(Integer.toString(number)));
    }

    @Override
    public void remove(PodSite site) {
        volumes.forget(site);
        attempts.keySet().removeIf(key -> key.startsWith(site.uid() + "/"));
        AtomicFolder.deleteTree(site.dir());
    }

    @Override
    public ProbeResult runInside(Attempt attempt, List<String> command, int timeoutSeconds) {
        return exec.capture((ProcessAttempt) attempt, command, timeoutSeconds);
    }

    @Override
    public boolean probes() {
        return true;
    }

    @Override
    public void close() {
        closed = true;
        // A channel of its own: the reader holds the other one's lock while it waits.
        try (FileChannel channel = FileChannel.open(events, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("Q\n".getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            LOG.debug("cannot stop the reader of events: {}", e.getMessage());
        }
    }

    private void readEvents() {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(Channels.newInputStream(eventsChannel), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null && !closed; line = reader.readLine()) {
                ProcessAttempt attempt = line.length() < 2 ? null : attempts.get(line.substring(2));
                if (attempt == null) {
                    continue;
                }
                if (line.startsWith("S ")) {
                    attempt.onStarted();
                } else if (line.startsWith("X ")) {
                    attempts.remove(attempt.key());
                    attempt.onExited();
                }
            }
        } catch (IOException e) {
            if (!closed) {
                LOG.error("events of containers are not seen any more", e);
            }
        }
    }

    private static void writeSecretly(Path file, byte[] bytes) throws IOException {
        Files.createFile(file);
        AtomicFolder.permit(file, 0600);
        Files.write(file, bytes);
    }

    /** The numbers of a container's runs on disk, in order. */
    private static List<Integer> numbers(Path folder) {
        List<Integer> numbers = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> entries = Files.list(folder)) {
                for (Path entry : (Iterable<Path>) entries::iterator) {
                    String name = entry.getFileName().toString();
                    if (name.matches("[0-9]{1,9}")) {
                        numbers.add(Integer.parseInt(name));
                    }
                }
            } catch (IOException e) {
                LOG.warn("cannot list {}: {}", folder, e.getMessage());
            }
        }
        Collections.sort(numbers);
        return numbers;
    }

    static Path folder(PodSite site, String container) {
        return site.dir().resolve("containers").resolve(PodPaths.segment(container));
    }
}
