package io.atoll.scheduler.core;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
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
    private long[] releasing = new long[stride * 16];

    /** A node in its slot of the arrays. */
    public static final class Node {
        private final int slot;
        private final long nameHash;
        private NodeSpec spec;
        private long generation;
        private boolean hasAccelerator;
        private final Map<String, PlacedPod> pods = new LinkedHashMap<>();
        private final List<HostPort> hostPorts = new ArrayList<>();
        private final GpuShares gpuShares = new GpuShares();
        private long scoredCpu;
        private long scoredMemory;

        Node(int slot, NodeSpec spec) {
            this.slot = slot;
            this.spec = spec;
            this.nameHash = hash(spec.name());
        }

        public int slot() {
            return slot;
        }

        public NodeSpec spec() {
            return spec;
        }

        long generation() {
            return generation;
        }

        long nameHash() {
            return nameHash;
        }

        public boolean hasAccelerator() {
            return hasAccelerator;
        }

        public Collection<PlacedPod> pods() {
            return pods.values();
        }

        GpuShares gpuShares() {
            return gpuShares;
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
        node.hasAccelerator = spec.hasGpus();
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
        generations++;
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

    /** Grows with every change of the nodes themselves. */
    public long nodeGeneration() {
        return generations;
    }

    /** The slot of a node; -1 when it is not there. */
    public int slot(String node) {
        Node known = nodesByName.get(node);
        return known == null ? -1 : known.slot;
    }

    /** The nodes, in no order. */
    public Collection<Node> nodes() {
        return Collections.unmodifiableCollection(nodesByName.values());
    }

    /** The GPUs of a node that are free once leaving pods are gone, in millionths; MIG slices by their share. */
    public long freeGpus(Node node) {
        if (!node.hasAccelerator) {
            return 0;
        }
        long free = node.gpuShares.free();
        for (int column = ResourceColumns.GPU; column < resources.count(); column++) {
            String name = resources.name(column);
            long share = column == ResourceColumns.GPU ? GpuShare.WHOLE : MigProfile.share(name);
            free += share == 0 ? 0 : idleLater(node, column) * share;
        }
        return free;
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

    /** What leaving pods will give back, less what has been promised of it; may be negative. */
    long releasing(Node node, int column) {
        return releasing[node.slot * stride + column];
    }

    /** What is free now and not promised. */
    long idle(Node node, int column) {
        int at = node.slot * stride + column;
        long free = allocatable[at] - used[at];
        return Math.min(free, free + releasing[at]);
    }

    /** What is free once the leaving pods are gone and the awaited ones are there. */
    long idleLater(Node node, int column) {
        int at = node.slot * stride + column;
        return allocatable[at] - used[at] + releasing[at];
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
        take(pod, node, 1);
    }

    private void detach(PlacedPod pod, Node node) {
        node.pods.remove(pod.key());
        for (HostPort port : pod.podClass().shape().hostPorts()) {
            node.hostPorts.remove(port);
        }
        take(pod, node, -1);
    }

    private void take(PlacedPod pod, Node node, int sign) {
        nodeChanges.add(node.slot);
        PodClass podClass = pod.podClass();
        for (int i = 0; i < podClass.columns.length; i++) {
            take(node, podClass.columns[i], sign * podClass.amounts[i], pod.hold());
        }
        take(node, ResourceColumns.PODS, sign, pod.hold());
        if (!pod.gpuGroups().isEmpty()) {
            long portion = podClass.shape().gpuShare().portionOn(node.spec);
            for (String group : pod.gpuGroups()) {
                GpuShares.Change change = node.gpuShares.change(group, sign * portion, sign, pod.hold());
                used[node.slot * stride + ResourceColumns.GPU] += change.used();
                releasing[node.slot * stride + ResourceColumns.GPU] += change.releasing();
            }
        }
        if (pod.hold() != PlacedPod.Hold.AWAITED) {
            node.scoredCpu += sign * podClass.scoredCpu;
            node.scoredMemory += sign * podClass.scoredMemory;
        }
    }

    private void take(Node node, int column, long amount, PlacedPod.Hold hold) {
        int at = node.slot * stride + column;
        switch (hold) {
            case TAKEN -> used[at] += amount;
            case LEAVING -> {
                used[at] += amount;
                releasing[at] += amount;
            }
            case AWAITED -> releasing[at] -= amount;
        }
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
            releasing = copy(releasing, newStride, rows);
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
