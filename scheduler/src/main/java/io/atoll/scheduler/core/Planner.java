package io.atoll.scheduler.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans where pending pods go: a pure function of the snapshot, the pods and the seed.
 *
 * <p>Pods are placed one after the other on the snapshot, so that each sees those before it, and taken off again when
 * the plan is made. Runs on the thread that owns the snapshot.
 */
public final class Planner {
    /** Pods of a class in one plan from which on an index pays. */
    private static final int INDEXED_FROM_PODS = 2;

    private final ClusterSnapshot snapshot;
    private final long seed;
    private final List<Plan.Binding> bindings = new ArrayList<>();
    private final List<Plan.Waiting> waiting = new ArrayList<>();
    private final Map<PodClass, Failure> failures = new HashMap<>();
    private final Map<PodClass, Integer> podsOfClass = new HashMap<>();
    private final Map<PodClass, ClassIndex> indexes = new HashMap<>();

    /** A class's failure, good until the next placement. */
    private record Failure(Diagnosis diagnosis, int placements) {}

    private Planner(ClusterSnapshot snapshot, long seed) {
        this.snapshot = snapshot;
        this.seed = seed;
    }

    /** The order of the pods given does not matter. */
    public static Plan plan(ClusterSnapshot snapshot, List<PendingPod> pods, long seed) {
        Planner planner = new Planner(snapshot, seed);
        pods.forEach(pod -> planner.podsOfClass.merge(pod.podClass(), 1, Integer::sum));
        try {
            pods.stream().sorted(PendingPod.ORDER).forEach(planner::place);
        } finally {
            for (Plan.Binding binding : planner.bindings.reversed()) {
                snapshot.removePod(binding.pod().key());
            }
        }
        return new Plan(planner.bindings, planner.waiting);
    }

    private void place(PendingPod pod) {
        Optional<PodRules> rules = PodRules.of(snapshot, pod);
        Failure failure = rules.isEmpty() ? failures.get(pod.podClass()) : null;
        if (failure != null && failure.placements == bindings.size()) {
            waiting.add(new Plan.Waiting(pod, failure.diagnosis));
            return;
        }
        Optional<ClusterSnapshot.Node> node = choose(pod.podClass(), rules);
        if (node.isEmpty()) {
            Diagnosis diagnosis = diagnose(pod.podClass(), rules);
            waiting.add(new Plan.Waiting(pod, diagnosis));
            if (rules.isEmpty()) {
                failures.put(pod.podClass(), new Failure(diagnosis, bindings.size()));
            }
            return;
        }
        String name = node.get().spec().name();
        snapshot.putPod(pod.on(name));
        bindings.add(new Plan.Binding(pod, name));
    }

    private Optional<ClusterSnapshot.Node> choose(PodClass podClass, Optional<PodRules> rules) {
        if (rules.isEmpty() && podsOfClass.getOrDefault(podClass, 0) >= INDEXED_FROM_PODS) {
            return indexes.computeIfAbsent(podClass, added -> new ClassIndex(snapshot, node -> rate(added, node)))
                    .best();
        }
        List<ClusterSnapshot.Node> feasible = new ArrayList<>();
        Rejections unused = new Rejections();
        for (ClusterSnapshot.Node node : snapshot.slots()) {
            if (node != null
                    && Fit.fits(snapshot, podClass, node)
                    && (rules.isEmpty() || rules.get().check(node, unused))) {
                feasible.add(node);
            }
        }
        long[] others = rules.map(present -> present.scores(feasible)).orElseGet(() -> new long[feasible.size()]);
        Candidate best = null;
        for (int i = 0; i < others.length; i++) {
            ClusterSnapshot.Node node = feasible.get(i);
            Candidate candidate = Candidate.of(node, Scores.of(snapshot, podClass, node) + others[i], seed);
            if (best == null || Candidate.ORDER.compare(candidate, best) < 0) {
                best = candidate;
            }
        }
        return Optional.ofNullable(best).map(Candidate::node);
    }

    private @Nullable Candidate rate(PodClass podClass, ClusterSnapshot.Node node) {
        return Fit.fits(snapshot, podClass, node)
                ? Candidate.of(node, Scores.of(snapshot, podClass, node), seed)
                : null;
    }

    private Diagnosis diagnose(PodClass podClass, Optional<PodRules> rules) {
        Rejections rejections = new Rejections();
        for (ClusterSnapshot.Node node : snapshot.slots()) {
            if (node == null) {
                continue;
            }
            NodeVerdict verdict = podClass.verdict(node);
            if (verdict != NodeVerdict.FITS) {
                rejections.add(verdict);
            } else if (Fit.check(snapshot, podClass, node, rejections) && rules.isPresent()) {
                rules.get().check(node, rejections);
            }
        }
        return rejections.diagnosis(snapshot.nodeCount(), podClass.shape().preempts());
    }
}
