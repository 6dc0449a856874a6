package io.atoll.scheduler.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What holds for every cluster; a failing seed replays the cluster that broke it. */
class PlannerPropertyTest {
    private static final int SEEDS = 200;

    static IntStream seeds() {
        return IntStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noNodeIsOvercommittedAndWaitingPodsFitNowhere(int seed) {
        Cluster cluster = new Cluster(seed);
        ClusterSnapshot snapshot = cluster.snapshot(new Random(seed));
        Plan plan = Planner.plan(snapshot, cluster.pods(snapshot), seed);
        assertThat(plan.bindings().size() + plan.waiting().size()).isEqualTo(cluster.shapes.size());

        Map<String, Map<String, Long>> used = new HashMap<>();
        for (Plan.Binding binding : plan.bindings()) {
            Map<String, Long> onNode = used.computeIfAbsent(binding.node(), _ -> new HashMap<>());
            binding.pod()
                    .podClass()
                    .shape()
                    .requests()
                    .forEach((name, amount) -> onNode.merge(name, amount, Long::sum));
            onNode.merge("pods", 1L, Long::sum);
        }
        for (NodeSpec node : cluster.nodes) {
            used.getOrDefault(node.name(), Map.of())
                    .forEach((name, amount) -> assertThat(amount)
                            .as("%s of %s", name, node.name())
                            .isLessThanOrEqualTo(node.allocatable().getOrDefault(name, 0L)));
        }
        for (Plan.Waiting waiting : plan.waiting()) {
            PodShape shape = waiting.pod().podClass().shape();
            for (NodeSpec node : cluster.nodes) {
                assertThat(fits(shape, node, used.getOrDefault(node.name(), Map.of())))
                        .as("%s on %s", waiting.pod().key(), node.name())
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void samePlanWhateverTheOrderOfArrival(int seed) {
        Cluster cluster = new Cluster(seed);
        List<String> plans = new ArrayList<>();
        for (int shuffle = 0; shuffle < 3; shuffle++) {
            Random random = new Random(seed * 31L + shuffle);
            ClusterSnapshot snapshot = cluster.snapshot(random);
            List<PendingPod> pods = cluster.pods(snapshot);
            Collections.shuffle(pods, random);
            plans.add(text(Planner.plan(snapshot, pods, seed)));
        }
        assertThat(plans).containsOnly(plans.getFirst());
    }

    /** Many pods of a class go by its index, a pod alone by a look at every node. */
    @ParameterizedTest
    @MethodSource("seeds")
    void planOfManyIsThatOfEachInTurn(int seed) {
        Cluster cluster = new Cluster(seed);
        ClusterSnapshot snapshot = cluster.snapshot(new Random(seed));
        List<PendingPod> pods = cluster.pods(snapshot);
        String together = text(Planner.plan(snapshot, pods, seed));
        List<Plan.Binding> bindings = new ArrayList<>();
        List<Plan.Waiting> waiting = new ArrayList<>();
        for (PendingPod pod : pods.stream().sorted(PendingPod.ORDER).toList()) {
            Plan alone = Planner.plan(snapshot, List.of(pod), seed);
            alone.bindings().forEach(binding -> snapshot.putPod(pod.on(binding.node())));
            bindings.addAll(alone.bindings());
            waiting.addAll(alone.waiting());
        }
        assertThat(text(new Plan(bindings, waiting))).isEqualTo(together);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void planLeavesTheSnapshotAsItWas(int seed) {
        Cluster cluster = new Cluster(seed);
        ClusterSnapshot snapshot = cluster.snapshot(new Random(seed));
        List<PendingPod> pods = cluster.pods(snapshot);
        String first = text(Planner.plan(snapshot, pods, seed));
        assertThat(text(Planner.plan(snapshot, pods, seed))).isEqualTo(first);
        for (NodeSpec node : cluster.nodes) {
            for (String resource : List.of("cpu", "memory", "pods", "nvidia.com/gpu")) {
                assertThat(snapshot.used(node.name(), resource)).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void snapshotCountsTheSameAfterComingsAndGoings(int seed) {
        Cluster cluster = new Cluster(seed);
        Random random = new Random(seed);
        ClusterSnapshot snapshot = cluster.snapshot(random);
        List<PendingPod> pods = cluster.pods(snapshot);
        Map<String, PlacedPod> truth = new HashMap<>();
        for (int step = 0; step < 300; step++) {
            PendingPod pod = pods.get(random.nextInt(pods.size()));
            NodeSpec node = cluster.nodes.get(random.nextInt(cluster.nodes.size()));
            switch (random.nextInt(4)) {
                case 0 -> {
                    snapshot.removePod(pod.key());
                    truth.remove(pod.key());
                }
                case 1 -> snapshot.removeNode(node.name());
                case 2 -> snapshot.putNode(node);
                default -> {
                    snapshot.putPod(pod.on(node.name()));
                    truth.put(pod.key(), pod.on(node.name()));
                }
            }
        }
        cluster.nodes.forEach(snapshot::putNode);
        for (NodeSpec node : cluster.nodes) {
            long cpu = truth.values().stream()
                    .filter(pod -> pod.node().equals(node.name()))
                    .mapToLong(pod -> pod.podClass().shape().requests().getOrDefault("cpu", 0L))
                    .sum();
            long count = truth.values().stream()
                    .filter(pod -> pod.node().equals(node.name()))
                    .count();
            assertThat(snapshot.used(node.name(), "cpu")).isEqualTo(cpu);
            assertThat(snapshot.used(node.name(), "pods")).isEqualTo(count);
        }
    }

    private static boolean fits(PodShape shape, NodeSpec node, Map<String, Long> used) {
        boolean room = used.getOrDefault("pods", 0L) + 1 <= node.allocatable().getOrDefault("pods", 0L);
        for (Map.Entry<String, Long> request : shape.requests().entrySet()) {
            room &= request.getValue() == 0
                    || used.getOrDefault(request.getKey(), 0L) + request.getValue()
                            <= node.allocatable().getOrDefault(request.getKey(), 0L);
        }
        return room && !node.unschedulable() && shape.toleratesAll(node) && shape.selects(node);
    }

    private static String text(Plan plan) {
        StringBuilder text = new StringBuilder();
        plan.bindings()
                .forEach(binding -> text.append(binding.pod().key())
                        .append(" -> ")
                        .append(binding.node())
                        .append('\n'));
        plan.waiting()
                .forEach(waiting -> text.append(waiting.pod().key())
                        .append(": ")
                        .append(waiting.diagnosis().message())
                        .append('\n'));
        return text.toString();
    }

    /** A seeded cluster of a few kinds of nodes and pods. */
    private static final class Cluster {
        private final List<NodeSpec> nodes = new ArrayList<>();
        private final List<PodShape> shapes = new ArrayList<>();
        private final List<Integer> priorities = new ArrayList<>();

        Cluster(long seed) {
            Random random = new Random(seed);
            int nodeCount = 1 + random.nextInt(12);
            for (int i = 0; i < nodeCount; i++) {
                Map<String, Long> allocatable = new HashMap<>(Map.of(
                        "cpu",
                        1_000L * (1 + random.nextInt(16)),
                        "memory",
                        (long) (1 + random.nextInt(64)) << 30,
                        "pods",
                        1L + random.nextInt(20)));
                if (random.nextBoolean()) {
                    allocatable.put("nvidia.com/gpu", 1L << random.nextInt(4));
                }
                List<Taint> taints = random.nextInt(4) == 0
                        ? List.of(new Taint("nvidia.com/gpu", "", Taint.Effect.NO_SCHEDULE))
                        : List.of();
                nodes.add(new NodeSpec(
                        "node-" + i,
                        Map.of("zone", "z" + random.nextInt(3)),
                        taints,
                        random.nextInt(8) == 0,
                        allocatable));
            }
            int podCount = 1 + random.nextInt(60);
            int shapeCount = 1 + random.nextInt(20);
            for (int i = 0; i < podCount; i++) {
                if (i >= shapeCount) {
                    shapes.add(shapes.get(random.nextInt(shapeCount)));
                    priorities.add(random.nextInt(3));
                    continue;
                }
                Map<String, Long> requests = new HashMap<>();
                requests.put("cpu", 250L * random.nextInt(12));
                requests.put("memory", (long) random.nextInt(8) << 30);
                if (random.nextInt(3) == 0) {
                    requests.put("nvidia.com/gpu", 1L << random.nextInt(3));
                }
                shapes.add(new PodShape(
                        requests,
                        GpuShare.NONE,
                        random.nextInt(4) == 0 ? Map.of("zone", "z" + random.nextInt(3)) : Map.of(),
                        List.of(),
                        List.of(),
                        random.nextBoolean()
                                ? List.of(new Toleration("nvidia.com/gpu", Optional.empty(), Optional.empty()))
                                : List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        true,
                        "",
                        Map.of()));
                priorities.add(random.nextInt(3));
            }
        }

        /** The nodes, arriving in an order of their own. */
        ClusterSnapshot snapshot(Random order) {
            List<NodeSpec> shuffled = new ArrayList<>(nodes);
            Collections.shuffle(shuffled, order);
            ClusterSnapshot snapshot = new ClusterSnapshot();
            shuffled.forEach(snapshot::putNode);
            return snapshot;
        }

        List<PendingPod> pods(ClusterSnapshot snapshot) {
            List<PendingPod> pods = new ArrayList<>();
            for (int i = 0; i < shapes.size(); i++) {
                pods.add(new PendingPod(
                        "default/pod-" + i,
                        "uid-" + i,
                        "default",
                        Map.of(),
                        priorities.get(i),
                        "2026-01-01T00:00:00Z",
                        snapshot.classOf(shapes.get(i))));
            }
            return pods;
        }
    }
}
