package io.atoll.node;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.pod.PodStreams;
import io.atoll.node.runtime.HostTypes;
import io.atoll.node.runtime.PodPaths;
import io.atoll.node.runtime.PodRuntime;
import io.atoll.node.runtime.ProcessRuntime;
import io.atoll.node.runtime.ProcessStreams;
import io.atoll.node.runtime.SimulatedRuntime;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.EventRecorder;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The kubelet side of a set of nodes: registers them, keeps them alive, and runs the pods bound to them.
 *
 * <p>One agent serves thousands of nodes; no node and no simulated pod has a thread of its own. Any thread may call it.
 * It acts only for pods whose {@code spec.nodeName} is one of its nodes.
 */
public final class NodeAgent implements AutoCloseable {
    private static final int WORKERS_MAX = 64;
    private static final int SHUTDOWN_SECONDS_MAX = 10;
    private static final Logger LOG = LoggerFactory.getLogger(NodeAgent.class);

    private final Client client;
    private final ObjectCache cache;
    private final NodeOptions options;
    private final Path dir;
    private final FileLock lock;
    private final Map<String, HostedNode> nodes = new HashMap<>();
    private final Map<ObjectKey, PodLifecycle> pods = new ConcurrentHashMap<>();
    private final Map<String, EventRecorder> recorders = new ConcurrentHashMap<>();
    private final PodRuntime simulated;
    private final @Nullable ProcessRuntime processes;
    private final PodAddresses addresses = new PodAddresses();
    private final NodeRegistrar registrar;
    private final NodeStreams streams;
    private final Controller<ObjectKey> controller;
    private ObjectCache.@Nullable Subscription subscription;
    private final Object shutdownProgress = new Object();
    private boolean shutdownOverdue;
    private volatile boolean shuttingDown;

    private NodeAgent(Client client, ObjectCache cache, List<NodeSpec> specs, Path dir, NodeOptions options)
            throws IOException {
        this.client = client;
        this.cache = cache;
        this.options = options;
        this.dir = Files.createDirectories(dir).toAbsolutePath();
        this.lock = lock(this.dir);
        List<HostedNode> expanded = new NodeShapes(this.dir.resolve("nodes")).expand(specs);
        expanded.forEach(node -> nodes.put(node.name(), node));
        this.simulated = new SimulatedRuntime(options.timers());
        boolean real = expanded.stream().anyMatch(node -> !node.shape().simulated());
        this.processes = real || Files.exists(this.dir.resolve("pods")) ? processRuntime() : null;
        this.registrar = new NodeRegistrar(client, expanded, options);
        this.streams = new NodeStreams(this::find, processes == null ? null : new ProcessStreams(processes));
        this.controller = new Controller<>("node", options.timers(), WORKERS_MAX, this::reconcile);
    }

    /**
     * Registers the nodes and starts to run their pods.
     *
     * @param dir where pods, their logs and the device grants are kept; what runs there already is taken over
     * @throws IllegalStateException in one line, when the machine lacks something or another agent has the folder
     */
    public static NodeAgent start(
            Client host, ObjectCache hostCache, List<NodeSpec> specs, Path dir, NodeOptions options) {
        try {
            NodeAgent agent = new NodeAgent(host, hostCache, specs, dir, options);
            agent.begin();
            return agent;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the nodes in " + dir + ": " + e.getMessage(), e);
        }
    }

    /** Streams into the pods of these nodes. */
    public PodStreams streams() {
        return streams;
    }

    /**
     * Ends the containers of these nodes, as when a node is shut down, then closes the agent. Containers get
     * {@value #SHUTDOWN_SECONDS_MAX} seconds. The next agent restarts them as their pods' restart policies say.
     */
    public void shutdown() {
        shuttingDown = true;
        pods.values().forEach(pod -> pod.stop().terminateAll());
        Timers.Pending kill = options.timers()
                .after(
                        Duration.ofSeconds(SHUTDOWN_SECONDS_MAX),
                        () -> pods.values().forEach(pod -> pod.stop().killAll()));
        Timers.Pending leave = options.timers().after(Duration.ofSeconds(SHUTDOWN_SECONDS_MAX + 5L), () -> {
            synchronized (shutdownProgress) {
                shutdownOverdue = true;
                shutdownProgress.notifyAll();
            }
        });
        synchronized (shutdownProgress) {
            while (!shutdownOverdue
                    && pods.values().stream().anyMatch(pod -> !pod.stop().nothingRuns())) {
                try {
                    shutdownProgress.wait();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                    break;
                }
            }
        }
        leave.cancel();
        kill.cancel();
        close();
    }

    /** Stops acting; containers go on running, and the next agent on the same folder takes them over. */
    @Override
    public void close() {
        if (subscription != null) {
            subscription.close();
        }
        registrar.close();
        controller.close();
        if (processes != null) {
            processes.close();
        }
        try {
            lock.acquiredBy().close();
        } catch (IOException e) {
            LOG.debug("cannot release {}: {}", dir, e.getMessage());
        }
    }

    private void begin() throws IOException {
        registrar.register();
        Set<String> known = new HashSet<>();
        for (StoredObject stored : cache.list(HostTypes.PODS, "")) {
            if (nodes.containsKey(NodeNames.of(stored.json()))) {
                known.add(stored.metadata().uid());
            }
        }
        // Pods that ran here take their resources before any new one can.
        for (StoredObject stored : cache.list(HostTypes.PODS, "")) {
            if (known.contains(stored.metadata().uid())) {
                ObjectNode pod = stored.tree();
                if (!pod.path("status").path("startTime").asString("").isEmpty()) {
                    pods.put(ObjectKey.of(stored), lifecycle(ObjectKey.of(stored), pod));
                }
            }
        }
        takeOverOrphans(known);
        if (processes != null) {
            processes.retainClaims(cache.list(HostTypes.CLAIMS, "").stream()
                    .map(claim -> claim.metadata().uid())
                    .collect(Collectors.toSet()));
        }
        subscription = cache.subscribe(HostTypes.PODS, (before, after) -> {
            StoredObject latest = after == null ? before : after;
            if (latest != null) {
                ObjectKey key = ObjectKey.of(latest);
                if (pods.containsKey(key) || nodes.containsKey(NodeNames.of(latest.json()))) {
                    controller.enqueue(key);
                }
            }
        });
        pods.keySet().forEach(controller::enqueue);
    }

    private Result reconcile(ObjectKey key) {
        if (shuttingDown) {
            synchronized (shutdownProgress) {
                shutdownProgress.notifyAll();
            }
            return Result.DONE;
        }
        Optional<StoredObject> stored = cache.get(HostTypes.PODS, key.namespace(), key.name());
        PodLifecycle known = pods.get(key);
        boolean replaced = known != null
                && !stored.map(pod -> pod.metadata().uid()).orElse("").equals(known.uid());
        if (known != null && replaced) {
            if (!known.finished() && !known.abandon()) {
                return Result.after(known.stop().untilKill());
            }
            forget(key, known);
            known = null;
        }
        if (stored.isEmpty()) {
            return Result.DONE;
        }
        if (known != null && known.finished()) {
            return Result.DONE; // its object is about to vanish from the cache
        }
        ObjectNode pod = stored.get().tree();
        if (!nodes.containsKey(pod.path("spec").path("nodeName").asString(""))) {
            return Result.DONE;
        }
        if (known == null) {
            known = lifecycle(key, pod);
            pods.put(key, known);
        }
        return known.sync(pod).map(Result::after).orElse(Result.DONE);
    }

    private PodLifecycle lifecycle(ObjectKey key, ObjectNode pod) {
        HostedNode node = nodes.get(pod.path("spec").path("nodeName").asString(""));
        if (node == null) {
            throw new IllegalArgumentException("pod " + key + " is bound to no node of this agent");
        }
        PodRuntime runtime = node.shape().simulated() || processes == null ? simulated : processes;
        return lifecycle(key, pod, node, runtime);
    }

    private PodLifecycle lifecycle(ObjectKey key, ObjectNode pod, HostedNode node, PodRuntime runtime) {
        String nodeName = node.name();
        EventRecorder recorder = recorders.computeIfAbsent(
                nodeName, name -> new EventRecorder(client, "kubelet", name, options.timers()));
        return new PodLifecycle(
                pod,
                node,
                runtime,
                podFolder(Metadata.uid(pod)),
                addresses.of(pod, node),
                options,
                new PodReports(client, recorder),
                () -> controller.enqueue(key));
    }

    private void forget(ObjectKey key, PodLifecycle lifecycle) {
        pods.remove(key);
        addresses.release(lifecycle.podIp());
    }

    private Optional<PodLifecycle> find(ObjectNode pod) {
        PodLifecycle lifecycle = pods.get(new ObjectKey(Metadata.namespace(pod), Metadata.name(pod)));
        return Optional.ofNullable(lifecycle).filter(found -> found.uid().equals(Metadata.uid(pod)));
    }

    private Path podFolder(String uid) {
        return dir.resolve("pods").resolve(PodPaths.segment(uid));
    }

    /** Sees to the end of pods whose objects went while no agent ran. */
    private void takeOverOrphans(Set<String> known) throws IOException {
        Path folder = dir.resolve("pods");
        if (processes == null) {
            return;
        }
        Files.createDirectories(folder);
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                String uid = entry.getFileName().toString();
                Path saved = entry.resolve("pod.json");
                if (!known.contains(uid) && Files.exists(saved)) {
                    ObjectNode pod = Json.parse(Files.readAllBytes(saved));
                    ObjectKey key = new ObjectKey(Metadata.namespace(pod), Metadata.name(pod) + " (gone " + uid + ")");
                    String nodeName = pod.path("spec").path("nodeName").asString("");
                    // The node may be gone too; then any other stands in, as there is only an end to see to.
                    HostedNode node = nodes.getOrDefault(
                            nodeName, nodes.values().iterator().next());
                    pods.put(key, lifecycle(key, pod, node, processes));
                }
            }
        }
        for (HostedNode node : nodes.values()) {
            for (String holder : node.devices().holders()) {
                if (!known.contains(holder) && !Files.exists(podFolder(holder).resolve("pod.json"))) {
                    node.devices().release(holder);
                }
            }
        }
    }

    private ProcessRuntime processRuntime() throws IOException {
        Map<String, String> service = new HashMap<>();
        if (!options.kubernetesServiceHost().isEmpty()) {
            String port = Integer.toString(options.kubernetesServicePort());
            service.put("KUBERNETES_SERVICE_HOST", options.kubernetesServiceHost());
            service.put("KUBERNETES_SERVICE_PORT", port);
            service.put("KUBERNETES_SERVICE_PORT_HTTPS", port);
        }
        return new ProcessRuntime(
                client,
                dir.resolve("runtime"),
                service,
                options.logFileBytesMax(),
                options.logFilesMax(),
                options.timers());
    }

    private static FileLock lock(Path dir) throws IOException {
        FileChannel channel =
                FileChannel.open(dir.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
        } catch (OverlappingFileLockException _) {
            // held by this process
        }
        channel.close();
        throw new IllegalStateException("another node agent runs in " + dir + ": stop it first");
    }
}
