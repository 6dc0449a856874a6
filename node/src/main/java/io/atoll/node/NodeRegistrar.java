package io.atoll.node;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import io.atoll.node.runtime.HostTypes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the host's Node and Lease objects of an agent's nodes. Any thread.
 *
 * <p>One timer renews all leases in turn; with many nodes each is renewed less often and lasts longer, so that
 * heartbeats never take more than {@code HEARTBEATS_PER_SECOND_MAX} writes.
 */
final class NodeRegistrar implements AutoCloseable {
    static final String GPU_TAINT = "nvidia.com/gpu";

    private static final String LEASE_NAMESPACE = "kube-node-lease";
    private static final int HEARTBEATS_PER_SECOND_MAX = 20;
    private static final int REGISTRATIONS_AT_ONCE_MAX = 32;
    private static final Duration STATUS_INTERVAL = Duration.ofMinutes(5);
    private static final Logger LOG = LoggerFactory.getLogger(NodeRegistrar.class);

    private final Client client;
    private final List<HostedNode> nodes;
    private final NodeOptions options;
    private final Timers timers;
    private final Duration interval;
    private final Set<String> statusDue = ConcurrentHashMap.newKeySet();
    private Instant statusAt;
    private int next;
    private volatile boolean closed;

    NodeRegistrar(Client client, List<HostedNode> nodes, NodeOptions options) {
        this.client = client;
        this.nodes = List.copyOf(nodes);
        this.options = options;
        this.timers = options.timers();
        Duration bounded = Duration.ofSeconds(nodes.size() / HEARTBEATS_PER_SECOND_MAX);
        this.interval = bounded.compareTo(options.heartbeatInterval()) > 0 ? bounded : options.heartbeatInterval();
        this.statusAt = timers.instant();
    }

    /** Makes every node known and ready, and removes those that an earlier agent had and this one has not. */
    void register() {
        forEachAtOnce(nodes, this::register);
        removeFormer();
        timers.after(Duration.ofSeconds(1), this::beat);
    }

    @Override
    public void close() {
        closed = true;
    }

    private void register(HostedNode node) {
        ObjectNode wanted = object(node);
        Optional<ObjectNode> known = client.find(HostTypes.NODES, "", node.name());
        if (known.isPresent() || !create(wanted)) {
            ObjectNode present = known.isPresent() ? known.get() : client.get(HostTypes.NODES, "", node.name());
            client.patch(HostTypes.NODES, "", node.name(), "", Client.PatchType.MERGE, change(present, wanted, node));
        }
        writeStatus(node);
        renew(node);
    }

    /** False when the node is there already. */
    private boolean create(ObjectNode wanted) {
        try {
            client.create(HostTypes.NODES, "", wanted);
            return true;
        } catch (ApiException e) {
            if (e.reason() != StatusReason.AlreadyExists) {
                throw e;
            }
            return false;
        }
    }

    private ObjectNode change(ObjectNode present, ObjectNode wanted, HostedNode node) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").set("labels", wanted.path("metadata").path("labels"));
        JsonNode taints = taints(present, node);
        if (!taints.equals(present.path("spec").path("taints"))) {
            patch.putObject("spec").set("taints", taints);
        }
        return patch;
    }

    /** The node's taints with ours as the options say; others' stay as they are. */
    private JsonNode taints(ObjectNode known, HostedNode node) {
        ArrayNode taints = Json.array();
        for (JsonNode taint : known.path("spec").path("taints")) {
            if (!taint.path("key").asString("").equals(GPU_TAINT)) {
                taints.add(taint);
            }
        }
        if (options.taintGpus() && node.shape().gpus()) {
            taints.add(gpuTaint());
        }
        JsonNode before = known.path("spec").path("taints");
        return taints.isEmpty() && before.isMissingNode() ? before : taints;
    }

    private static ObjectNode gpuTaint() {
        return Json.object().put("key", GPU_TAINT).put("value", "present").put("effect", "NoSchedule");
    }

    private ObjectNode object(HostedNode node) {
        ObjectNode object = Json.object().put("kind", "Node").put("apiVersion", "v1");
        ObjectNode metadata = object.putObject("metadata").put("name", node.name());
        ObjectNode labels = metadata.putObject("labels");
        node.shape().labels().forEach(labels::put);
        metadata.putObject("annotations").put("node.alpha.kubernetes.io/ttl", "0");
        ObjectNode spec = object.putObject("spec");
        if (options.taintGpus() && node.shape().gpus()) {
            spec.putArray("taints").add(gpuTaint());
        }
        return object;
    }

    private void writeStatus(HostedNode node) {
        ObjectNode patch = Json.object();
        patch.set("status", status(node));
        client.patch(HostTypes.NODES, "", node.name(), "status", Client.PatchType.STRATEGIC, patch);
    }

    private ObjectNode status(HostedNode node) {
        ObjectNode status = Json.object();
        ObjectNode capacity = status.putObject("capacity");
        node.shape().capacity().forEach(capacity::put);
        status.set("allocatable", capacity.deepCopy());
        String now = PodStatusTree.time(timers.instant());
        ArrayNode conditions = status.putArray("conditions");
        condition(
                conditions,
                now,
                "MemoryPressure",
                "False",
                "KubeletHasSufficientMemory",
                "kubelet has sufficient memory available");
        condition(conditions, now, "DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure");
        condition(
                conditions,
                now,
                "PIDPressure",
                "False",
                "KubeletHasSufficientPID",
                "kubelet has sufficient PID available");
        condition(conditions, now, "Ready", "True", "KubeletReady", "kubelet is posting ready status");
        ArrayNode addresses = status.putArray("addresses");
        addresses
                .addObject()
                .put("type", "InternalIP")
                .put("address", node.shape().address());
        addresses.addObject().put("type", "Hostname").put("address", node.name());
        String machine = UUID.nameUUIDFromBytes(node.name().getBytes(StandardCharsets.UTF_8))
                .toString();
        status.putObject("nodeInfo")
                .put("machineID", machine.replace("-", ""))
                .put("systemUUID", machine)
                .put("bootID", machine)
                .put("kernelVersion", System.getProperty("os.version", "unknown"))
                .put("osImage", System.getProperty("os.name", "Linux"))
                .put("containerRuntimeVersion", node.shape().simulated() ? "simulated://0.1.0" : "process://0.1.0")
                .put("kubeletVersion", "v1.36.0")
                .put("kubeProxyVersion", "")
                .put("operatingSystem", "linux")
                .put("architecture", NodeShapes.arch());
        return status;
    }

    private void condition(
            ArrayNode conditions, String now, String type, String status, String reason, String message) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", status)
                .put("lastHeartbeatTime", now)
                .put("lastTransitionTime", PodStatusTree.time(statusAt))
                .put("reason", reason)
                .put("message", message);
    }

    /** Renews its share of the leases, each second. */
    private void beat() {
        if (closed) {
            return;
        }
        int share = (int) Math.ceilDiv(nodes.size(), Math.max(1, interval.toSeconds()));
        for (int i = 0; i < share && !closed; i++) {
            HostedNode node = nodes.get(next);
            next = (next + 1) % nodes.size();
            try {
                renew(node);
                if (statusDue.remove(node.name())) {
                    writeStatus(node);
                }
            } catch (ApiException e) {
                if (e.reason() == StatusReason.NotFound && !closed) {
                    registerAgain(node);
                } else {
                    LOG.warn("heartbeat of node {}: {}", node.name(), e.getMessage());
                }
            } catch (RuntimeException e) {
                LOG.warn("heartbeat of node {}", node.name(), e);
            }
        }
        Instant now = timers.instant();
        if (!now.isBefore(statusAt.plus(STATUS_INTERVAL))) {
            statusAt = now;
            nodes.forEach(node -> statusDue.add(node.name()));
        }
        if (!closed) {
            timers.after(Duration.ofSeconds(1), this::beat);
        }
    }

    private void registerAgain(HostedNode node) {
        try {
            register(node);
        } catch (RuntimeException e) {
            LOG.warn("node {} cannot be registered again: {}", node.name(), e.getMessage());
        }
    }

    private void renew(HostedNode node) {
        ObjectNode patch = Json.object();
        String now = timers.instant().truncatedTo(ChronoUnit.MICROS).toString();
        long seconds = Math.max(40, 4 * interval.toSeconds());
        patch.putObject("spec")
                .put("holderIdentity", node.name())
                .put("leaseDurationSeconds", seconds)
                .put("renewTime", microTime(now));
        try {
            client.patch(HostTypes.LEASES, LEASE_NAMESPACE, node.name(), "", Client.PatchType.MERGE, patch);
        } catch (ApiException e) {
            if (e.reason() != StatusReason.NotFound) {
                throw e;
            }
            createLease(node, patch);
        }
    }

    private void createLease(HostedNode node, ObjectNode spec) {
        ObjectNode lease = spec.deepCopy().put("kind", "Lease").put("apiVersion", "coordination.k8s.io/v1");
        ObjectNode metadata =
                lease.putObject("metadata").put("name", node.name()).put("namespace", LEASE_NAMESPACE);
        ObjectNode owner = client.get(HostTypes.NODES, "", node.name());
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "v1")
                .put("kind", "Node")
                .put("name", node.name())
                .put("uid", Metadata.uid(owner));
        try {
            client.create(HostTypes.LEASES, LEASE_NAMESPACE, lease);
        } catch (ApiException e) {
            if (e.reason() == StatusReason.NotFound || e.reason() == StatusReason.Forbidden) {
                ObjectNode namespace = Json.object().put("kind", "Namespace").put("apiVersion", "v1");
                namespace.putObject("metadata").put("name", LEASE_NAMESPACE);
                createIfAbsent(namespace);
                client.create(HostTypes.LEASES, LEASE_NAMESPACE, lease);
            } else if (e.reason() != StatusReason.AlreadyExists) {
                throw e;
            }
        }
    }

    private void createIfAbsent(ObjectNode namespace) {
        try {
            client.create(HostTypes.NAMESPACES, "", namespace);
        } catch (ApiException e) {
            if (e.reason() != StatusReason.AlreadyExists) {
                throw e;
            }
        }
    }

    /** Deletes the nodes of earlier specs and, as nobody else can end them, the pods bound to them. */
    private void removeFormer() {
        Set<String> present = new HashSet<>();
        nodes.forEach(node -> present.add(node.name()));
        Set<String> former = new HashSet<>();
        JsonNode known = client.list(HostTypes.NODES, "", Client.ListOptions.labels(NodeShapes.RUNTIME_LABEL))
                .path("items");
        for (JsonNode node : known) {
            if (!present.contains(Metadata.name(node))) {
                former.add(Metadata.name(node));
            }
        }
        if (former.isEmpty()) {
            return;
        }
        for (JsonNode pod :
                client.list(HostTypes.PODS, "", Client.ListOptions.ALL).path("items")) {
            if (former.contains(pod.path("spec").path("nodeName").asString(""))) {
                deleteQuietly(() -> client.delete(
                        HostTypes.PODS,
                        Metadata.namespace(pod),
                        Metadata.name(pod),
                        new Client.DeleteOptions(0, "", Metadata.uid(pod))));
            }
        }
        for (String name : former) {
            LOG.info("node {} is no longer asked for: removed", name);
            deleteQuietly(() -> client.delete(HostTypes.NODES, "", name, Client.DeleteOptions.DEFAULT));
            deleteQuietly(() -> client.delete(HostTypes.LEASES, LEASE_NAMESPACE, name, Client.DeleteOptions.DEFAULT));
        }
    }

    private static void deleteQuietly(Runnable delete) {
        try {
            delete.run();
        } catch (ApiException e) {
            if (e.reason() != StatusReason.NotFound && e.reason() != StatusReason.Conflict) {
                throw e;
            }
        }
    }

    private static String microTime(String instant) {
        // Always with six digits, as Kubernetes writes MicroTime.
        String seconds = instant.substring(0, 19);
        String fraction = instant.length() > 20 ? instant.substring(20, instant.length() - 1) : "";
        return seconds + "." + (fraction + "000000").substring(0, 6) + "Z";
    }

    private static void forEachAtOnce(List<HostedNode> nodes, Consumer<HostedNode> action) {
        Semaphore slots = new Semaphore(REGISTRATIONS_AT_ONCE_MAX);
        List<RuntimeException> failures = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (var tasks = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            for (HostedNode node : nodes) {
                tasks.execute(() -> {
                    slots.acquireUninterruptibly();
                    try {
                        action.accept(node);
                    } catch (RuntimeException e) {
                        failures.add(e);
                    } finally {
                        slots.release();
                    }
                });
            }
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }
}
