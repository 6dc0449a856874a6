package io.atoll.scheduler.core;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best node for one pod of a job, on what is free and on what leaving pods will give back.
 *
 * <p>Nodes are compared by what KAI's scoring compares, in the same order of weight: nominated nodes, other pods'
 * attraction, nearness in a topology, GPUs that are shared already, room at once, kinds of nodes, then how full they
 * are; nodes that are equal in all are taken in the order of their names. An index of each class of pods is kept from
 * one call to the next, so that a call costs the logarithm of the nodes. On the snapshot's thread.
 */
public final class Placer {
    private static final long ATTRACTION = 100_000_000_000L / Scores.FULL;
    private static final long NEARNESS = 10_000_000_000L;
    private static final long SHARED_GPU = 1_000_000_000L;
    private static final long ROOM_NOW = 100_000_000L;
    private static final long KIND_OF_NODE = 10_000_000L;
    private static final long PREFERENCE = 10_000L;

    /** What fullness adds at most. */
    private static final long FULLNESS = 1_000_000;

    /** Classes whose indexes are kept; beyond, all are dropped, since a class may be used once only. */
    private static final int INDEXES_MAX = 512;

    private final ClusterSnapshot snapshot;
    private final PlacementStrategy gpuStrategy;
    private final PlacementStrategy cpuStrategy;
    private final Map<PodClass, ClassIndex> indexes = new HashMap<>();

    public Placer(ClusterSnapshot snapshot, PlacementStrategy gpuStrategy, PlacementStrategy cpuStrategy) {
        this.snapshot = snapshot;
        this.gpuStrategy = gpuStrategy;
        this.cpuStrategy = cpuStrategy;
    }

    /**
     * The best node for a pod.
     *
     * @param within slots of the nodes to choose from; null for all
     * @param nominated a node to take whenever it has room; null for none
     * @param nearness by slot, how near a node is to where the pod should be; null when that does not matter
     * @return null when no node has room, now or later
     */
    public @Nullable Spot best(
            PendingPod pod, @Nullable BitSet within, @Nullable String nominated, @Nullable Nearness nearness) {
        Optional<PodRules> rules = PodRules.of(snapshot, pod);
        ClassIndex index = index(pod.podClass());
        if (nominated != null) {
            ClusterSnapshot.Node node = snapshot.node(nominated);
            if (node != null
                    && (within == null || within.get(node.slot()))
                    && index.at(node.slot()) != null
                    && (rules.isEmpty() || rules.get().check(node, new Rejections()))) {
                return spot(pod, node);
            }
        }
        Candidate best;
        if (rules.isPresent() || nearness != null) {
            best = scan(index, rules, within, nearness);
        } else if (within != null) {
            best = index.bestOf(within);
        } else {
            ClusterSnapshot.Node node = index.best().orElse(null);
            return node == null ? null : spot(pod, node);
        }
        return best == null ? null : spot(pod, best.node());
    }

    /** Whether a pod that leaves a place could as well stay, after all that has been promised since. */
    public boolean hasRoomAgain(PendingPod pod, String name, List<String> gpuGroups) {
        ClusterSnapshot.Node node = snapshot.node(name);
        return node != null
                && Fit.roomAgain(snapshot, pod.podClass(), node, gpuGroups)
                && PodRules.of(snapshot, pod)
                        .map(rules -> rules.check(node, new Rejections()))
                        .orElse(true);
    }

    /** Whether a node has room for a pod, now or later. */
    public boolean hasRoom(PendingPod pod, String name) {
        ClusterSnapshot.Node node = snapshot.node(name);
        return node != null && Fit.room(snapshot, pod.podClass(), node, packsGpus()) != Fit.Room.NONE;
    }

    /**
     * What a node lacks for a pod: GPUs in millionths if the pod wants GPUs, else CPU in thousandths or, if it has that,
     * memory in MiB.
     *
     * @return 0 when it lacks none of these; -1 when the node never takes the pod
     */
    public long lack(PendingPod pod, ClusterSnapshot.Node node) {
        PodClass podClass = pod.podClass();
        if (podClass.verdict(node) != NodeVerdict.FITS) {
            return -1;
        }
        if (podClass.wantsAccelerator) {
            long wanted = podClass.gpus(node.spec().gpuMemoryMebibytes());
            long whole = podClass.shape().gpuShare().isNone()
                    ? snapshot.freeGpus(node) - node.gpuShares().free()
                    : 0;
            return Fit.room(snapshot, podClass, node, true) != Fit.Room.NONE ? 0 : Math.max(1, wanted - whole);
        }
        long cpu = podClass.cpu() - snapshot.idleLater(node, ResourceColumns.CPU);
        return cpu > 0 ? cpu : Math.max(0, podClass.memory() - snapshot.idleLater(node, ResourceColumns.MEMORY)) >> 20;
    }

    /** What a pod that leaves a node gives back of that which another pod lacks there, in the units of {@link #lack}. */
    public long freed(PendingPod leaving, PendingPod wanting, ClusterSnapshot.Node node) {
        PodClass podClass = leaving.podClass();
        return wanting.podClass().wantsAccelerator ? podClass.gpus(node.spec().gpuMemoryMebibytes()) : podClass.cpu();
    }

    /** Why no node takes the pod. */
    public Diagnosis diagnose(PendingPod pod, @Nullable BitSet within) {
        Optional<PodRules> rules = PodRules.of(snapshot, pod);
        PodClass podClass = pod.podClass();
        Rejections rejections = new Rejections();
        int nodes = 0;
        for (ClusterSnapshot.Node node : snapshot.slots()) {
            if (node == null || (within != null && !within.get(node.slot()))) {
                continue;
            }
            nodes++;
            NodeVerdict verdict = podClass.verdict(node);
            if (verdict != NodeVerdict.FITS) {
                rejections.add(verdict);
            } else if (Fit.check(snapshot, podClass, node, rejections) && rules.isPresent()) {
                rules.get().check(node, rejections);
            }
        }
        return rejections.diagnosis(nodes, podClass.shape().preempts());
    }

    /** How many pods of a class, one beside the other, a node could take once the leaving ones are gone. */
    public long room(PodClass podClass, ClusterSnapshot.Node node) {
        if (Fit.room(snapshot, podClass, node, true) == Fit.Room.NONE) {
            return 0;
        }
        long room = snapshot.idleLater(node, ResourceColumns.PODS);
        for (int i = 0; i < podClass.columns.length; i++) {
            room = Math.min(room, snapshot.idleLater(node, podClass.columns[i]) / podClass.amounts[i]);
        }
        GpuShare share = podClass.shape().gpuShare();
        if (!share.isNone()) {
            long portion = Math.max(1, share.portionOn(node.spec()));
            long parts = node.gpuShares().parts(portion)
                    + Math.max(0, snapshot.idleLater(node, ResourceColumns.GPU)) * (GpuShare.WHOLE / portion);
            room = Math.min(room, parts / share.devices());
        }
        return Math.max(0, room);
    }

    private @Nullable Candidate scan(
            ClassIndex index, Optional<PodRules> rules, @Nullable BitSet within, @Nullable Nearness nearness) {
        List<Candidate> feasible = new ArrayList<>();
        List<ClusterSnapshot.Node> nodes = new ArrayList<>();
        Rejections unused = new Rejections();
        for (ClusterSnapshot.Node node : snapshot.slots()) {
            if (node == null || (within != null && !within.get(node.slot()))) {
                continue;
            }
            Candidate candidate = index.at(node.slot());
            if (candidate != null && (rules.isEmpty() || rules.get().check(node, unused))) {
                feasible.add(candidate);
                nodes.add(node);
            }
        }
        long[] attraction = rules.map(present -> present.scores(nodes)).orElseGet(() -> new long[nodes.size()]);
        Candidate best = null;
        for (int i = 0; i < attraction.length; i++) {
            Candidate candidate = feasible.get(i);
            int slot = candidate.node().slot();
            long near = nearness == null ? 0 : nearness.at(slot);
            Candidate rated =
                    Candidate.of(candidate.node(), candidate.score() + attraction[i] * ATTRACTION + near * NEARNESS);
            if (best == null || Candidate.ORDER.compare(rated, best) < 0) {
                best = rated;
            }
        }
        return best;
    }

    private ClassIndex index(PodClass podClass) {
        if (indexes.size() >= INDEXES_MAX && !indexes.containsKey(podClass)) {
            indexes.clear();
        }
        return indexes.computeIfAbsent(podClass, added -> new ClassIndex(snapshot, node -> rate(added, node)));
    }

    private @Nullable Candidate rate(PodClass podClass, ClusterSnapshot.Node node) {
        Fit.Room room = Fit.room(snapshot, podClass, node, packsGpus());
        if (room == Fit.Room.NONE) {
            return null;
        }
        long score = room == Fit.Room.NOW ? ROOM_NOW : 0;
        GpuShare share = podClass.shape().gpuShare();
        if (!share.isNone() && node.gpuShares().takes(share.portionOn(node.spec()))) {
            score += SHARED_GPU;
        }
        if (!podClass.wantsAccelerator && !node.hasAccelerator()) {
            score += KIND_OF_NODE;
        }
        score += PREFERENCE * Scores.preferences(podClass.shape(), node);
        return Candidate.of(node, score + fullness(podClass, node));
    }

    private long fullness(PodClass podClass, ClusterSnapshot.Node node) {
        PlacementStrategy strategy = podClass.wantsAccelerator ? gpuStrategy : cpuStrategy;
        long free;
        long all;
        if (podClass.wantsAccelerator) {
            free = snapshot.idleLater(node, ResourceColumns.GPU) * GpuShare.WHOLE
                    + node.gpuShares().free();
            all = snapshot.allocatable(node, ResourceColumns.GPU) * GpuShare.WHOLE;
            for (int column : podClass.columns) {
                long slice = MigProfile.share(snapshot.resources().name(column));
                free += snapshot.idleLater(node, column) * slice;
                all += snapshot.allocatable(node, column) * slice;
            }
            free /= 100; // so that a hundred GPUs stay below what fullness adds at most
            all /= 100;
        } else {
            free = snapshot.idleLater(node, ResourceColumns.CPU);
            all = snapshot.allocatable(node, ResourceColumns.CPU);
        }
        return switch (strategy) {
            case BINPACK -> FULLNESS - 1 - Math.clamp(free, 0, FULLNESS - 1);
            case SPREAD -> all <= 0 ? 0 : Math.clamp(free * (FULLNESS - 1) / all, 0, FULLNESS - 1);
        };
    }

    private boolean packsGpus() {
        return gpuStrategy == PlacementStrategy.BINPACK;
    }

    private Spot spot(PendingPod pod, ClusterSnapshot.Node node) {
        PodClass podClass = pod.podClass();
        boolean now = Fit.room(snapshot, podClass, node, packsGpus()) == Fit.Room.NOW;
        if (podClass.shape().gpuShare().isNone()) {
            return new Spot(node.spec().name(), now, List.of());
        }
        GpuShares.Choice choice = Fit.gpus(snapshot, podClass, node, packsGpus())
                .orElseThrow(() ->
                        new AssertionError("no shared GPU on " + node.spec().name()));
        List<String> groups = new ArrayList<>(choice.groups());
        for (int i = 0; i < choice.opened(); i++) {
            groups.add(newGroup(node, pod, i));
        }
        return new Spot(node.spec().name(), now, groups);
    }

    /** The name of a new shared GPU: the same for the same pod on the same node, so that plans can be compared. */
    private static String newGroup(ClusterSnapshot.Node node, PendingPod pod, int index) {
        String seed = node.spec().name() + '/' + pod.uid() + '/' + pod.key() + '/' + index;
        return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
