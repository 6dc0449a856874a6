package io.atoll.scheduler.core;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a cluster and the pods on them, kept up to date change by change; resources in packed arrays.
 *
 * <p>Confined to one thread. A plan tries placements on it and leaves it as it found it.
 */
public final class ClusterSnapshot {
    private static final int CLASSES_SWEPT_AT = 1_024;

    private final ResourceColumns resources = new ResourceColumns();
    private final Map<String, Node> nodesByName = new HashMap<>();
    private final List<@Nullable Node> nodesBySlot = new ArrayList<>();
    private final Deque<Integer> freeSlots = new ArrayDeque<>();
    private final Map<String, PlacedPod> pods = new LinkedHashMap<>();
    private final Map<String, Set<String>> podsOfMissingNodes = new HashMap<>();
    private final Set<PlacedPod> antiAffinityPods = new LinkedHashSet<>();
    private final Map<String, Map<String, String>> namespaceLabels = new HashMap<>();
    private final Map<PodShape, WeakReference<PodClass>> classes = new HashMap<>();
    private int classesSweptAt = CLASSES_SWEPT_AT;
    private final NodeChanges nodeChanges = new NodeChanges();
    private long generations;
    private int stride = 8;
    private long[] allocatable = new long[stride * 16];
    private long[] used = new long[stride * 16];

    /** A node in its slot of the arrays. */
    static final class Node {
        private final int slot;
        private final long nameHash;
        private NodeSpec spec;
        private long generation;
        private boolean hasAccelerator;
        private final Map<String, PlacedPod> pods = new LinkedHashMap<>();
        private final List<HostPort> hostPorts = new ArrayList<>();
        private long scoredCpu;
        private long scoredMemory;

        Node(int slot, NodeSpec spec) {
            this.slot = slot;
            this.spec = spec;
            this.nameHash = hash(spec.name());
        }

        int slot() {
            return slot;
        }

        NodeSpec spec() {
            return spec;
        }

        long generation() {
            return generation;
        }

        long nameHash() {
            return nameHash;
        }

        boolean hasAccelerator() {
            return hasAccelerator;
        }

        Collection<PlacedPod> pods() {
            return pods.values();
        }

        List<HostPort> hostPorts() {
            return hostPorts;
        }

        long scoredCpu() {
            return scoredCpu;
        }

        long scoredMemory() {
            return scoredMemory;
        }

        private static long hash(String name) {
            long hash = 0xcbf29ce484222325L;
            for (int i = 0; i < name.length(); i++) {
                hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
            }
            return hash;
        }
    }

    /** The class of a shape: the same object for equal shapes as long as somebody holds it. */
    public PodClass classOf(PodShape shape) {
        WeakReference<PodClass> reference = classes.get(shape);
        PodClass known = reference == null ? null : reference.get();
        if (known != null) {
            return known;
        }
        PodClass added = new PodClass(shape, resources);
        widen();
        classes.put(shape, new WeakReference<>(added));
        if (classes.size() > classesSweptAt) {
            classes.values().removeIf(held -> held.get() == null);
            classesSweptAt = Math.max(CLASSES_SWEPT_AT, classes.size() * 2);
        }
        return added;
    }

    /** Adds a node or replaces what is known of it. */
    public void putNode(NodeSpec spec) {
        Node node = nodesByName.get(spec.name());
        if (node == null) {
            Integer free = freeSlots.poll();
            int slot = free != null ? free : nodesBySlot.size();
            node = new Node(slot, spec);
            if (free != null) {
                nodesBySlot.set(slot, node);
            } else {
                nodesBySlot.add(node);
            }
            nodesByName.put(spec.name(), node);
        }
        node.spec = spec;
        node.generation = ++generations;
        nodeChanges.add(node.slot);
        node.hasAccelerator = spec.allocatable().entrySet().stream()
                .anyMatch(entry -> entry.getValue() > 0 && ResourceColumns.isAccelerator(entry.getKey()));
        spec.allocatable().keySet().forEach(resources::of);
        widen();
        int row = node.slot * stride;
        Arrays.fill(allocatable, row, row + stride, 0);
        for (Map.Entry<String, Long> amount : spec.allocatable().entrySet()) {
            allocatable[row + resources.of(amount.getKey())] = amount.getValue();
        }
        Set<String> waiting = podsOfMissingNodes.remove(spec.name());
        if (waiting != null) {
            for (String key : waiting) {
                attach(pod(key), node);
            }
        }
    }

    /** Removes a node; its pods stay known and come back with it. */
    public void removeNode(String name) {
        Node node = nodesByName.remove(name);
        if (node == null) {
            return;
        }
        List<PlacedPod> left = List.copyOf(node.pods.values());
        left.forEach(pod -> detach(pod, node));
        if (!left.isEmpty()) {
            Set<String> keys = podsOfMissingNodes.computeIfAbsent(name, _ -> new LinkedHashSet<>());
            left.forEach(pod -> keys.add(pod.key()));
        }
        int row = node.slot * stride;
        Arrays.fill(allocatable, row, row + stride, 0);
        nodeChanges.add(node.slot);
        nodesBySlot.set(node.slot, null);
        freeSlots.add(node.slot);
    }

    /** Puts a pod on its node, or replaces what is known of it. */
    public void putPod(PlacedPod pod) {
        removePod(pod.key());
        pods.put(pod.key(), pod);
        if (!pod.podClass().shape().antiAffinity().isEmpty()) {
            antiAffinityPods.add(pod);
        }
        Node node = nodesByName.get(pod.node());
        if (node != null) {
            attach(pod, node);
        } else {
            podsOfMissingNodes
                    .computeIfAbsent(pod.node(), _ -> new LinkedHashSet<>())
                    .add(pod.key());
        }
    }

    /** Takes a pod off its node; answers whether it was there. */
    public boolean removePod(String key) {
        PlacedPod pod = pods.remove(key);
        if (pod == null) {
            return false;
        }
        antiAffinityPods.remove(pod);
        Node node = nodesByName.get(pod.node());
        if (node != null) {
            detach(pod, node);
        } else {
            Set<String> keys = podsOfMissingNodes.get(pod.node());
            if (keys != null && keys.remove(key) && keys.isEmpty()) {
                podsOfMissingNodes.remove(pod.node());
            }
        }
        return true;
    }

    public Optional<PlacedPod> findPod(String key) {
        return Optional.ofNullable(pods.get(key));
    }

    public Optional<NodeSpec> findNode(String name) {
        Node node = nodesByName.get(name);
        return node == null ? Optional.empty() : Optional.of(node.spec);
    }

    public void putNamespace(String name, Map<String, String> labels) {
        namespaceLabels.put(name, Map.copyOf(labels));
    }

    public void removeNamespace(String name) {
        namespaceLabels.remove(name);
    }

    public int nodeCount() {
        return nodesByName.size();
    }

    /** What the pods on a node take of a resource. */
    public long used(String node, String resource) {
        Node known = nodesByName.get(node);
        int column = resources.of(resource);
        widen();
        return known == null ? 0 : used[known.slot * stride + column];
    }

    Map<String, Map<String, String>> namespaceLabels() {
        return namespaceLabels;
    }

    Set<PlacedPod> antiAffinityPods() {
        return antiAffinityPods;
    }

    /** By slot; null where no node is. */
    List<@Nullable Node> slots() {
        return nodesBySlot;
    }

    @Nullable
    Node node(String name) {
        return nodesByName.get(name);
    }

    NodeChanges nodeChanges() {
        return nodeChanges;
    }

    ResourceColumns resources() {
        return resources;
    }

    long allocatable(Node node, int column) {
        return allocatable[node.slot * stride + column];
    }

    long used(Node node, int column) {
        return used[node.slot * stride + column];
    }

    private PlacedPod pod(String key) {
        PlacedPod pod = pods.get(key);
        if (pod == null) {
            throw new AssertionError("no pod " + key);
        }
        return pod;
    }

    private void attach(PlacedPod pod, Node node) {
        node.pods.put(pod.key(), pod);
        node.hostPorts.addAll(pod.podClass().shape().hostPorts());
        take(pod.podClass(), node, 1);
    }

    private void detach(PlacedPod pod, Node node) {
        node.pods.remove(pod.key());
        for (HostPort port : pod.podClass().shape().hostPorts()) {
            node.hostPorts.remove(port);
        }
        take(pod.podClass(), node, -1);
    }

    private void take(PodClass podClass, Node node, int sign) {
        nodeChanges.add(node.slot);
        int row = node.slot * stride;
        for (int i = 0; i < podClass.columns.length; i++) {
            used[row + podClass.columns[i]] += sign * podClass.amounts[i];
        }
        used[row + ResourceColumns.PODS] += sign;
        node.scoredCpu += sign * podClass.scoredCpu;
        node.scoredMemory += sign * podClass.scoredMemory;
    }

    /** Makes room in the arrays for all slots and columns. */
    private void widen() {
        int newStride = stride;
        while (newStride < resources.count()) {
            newStride *= 2;
        }
        int rows = Math.max(allocatable.length / stride, 16);
        while (rows < nodesBySlot.size()) {
            rows *= 2;
        }
        if (newStride != stride || rows * stride != allocatable.length) {
            allocatable = copy(allocatable, newStride, rows);
            used = copy(used, newStride, rows);
            stride = newStride;
        }
    }

    private long[] copy(long[] from, int newStride, int rows) {
        long[] to = new long[newStride * rows];
        for (int row = 0; row < from.length / stride; row++) {
            System.arraycopy(from, row * stride, to, row * newStride, stride);
        }
        return to;
    }
}
