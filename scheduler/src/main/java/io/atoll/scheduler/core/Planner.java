package io.atoll.scheduler.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans where pending pods go: a pure function of the snapshot, the pods and the seed.
 *
 * <p>Pods are placed one after the other on the snapshot, so that each sees those before it, and taken off again when
 * the plan is made. Runs on the thread that owns the snapshot.
 */
public final class Planner {
    private final ClusterSnapshot snapshot;
    private final Scores scores;
    private final List<Plan.Binding> bindings = new ArrayList<>();
    private final List<Plan.Waiting> waiting = new ArrayList<>();
    private final Map<PodClass, Failure> failures = new HashMap<>();

    /** A class's failure, good until the next placement. */
    private record Failure(Diagnosis diagnosis, int placements) {}

    private Planner(ClusterSnapshot snapshot, long seed) {
        this.snapshot = snapshot;
        this.scores = new Scores(snapshot, seed);
    }

    /** The order of the pods given does not matter. */
    public static Plan plan(ClusterSnapshot snapshot, List<PendingPod> pods, long seed) {
        Planner planner = new Planner(snapshot, seed);
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
        PodRules rules = PodRules.of(snapshot, pod);
        Failure failure = rules == null ? failures.get(pod.podClass()) : null;
        if (failure != null && failure.placements == bindings.size()) {
            waiting.add(new Plan.Waiting(pod, failure.diagnosis));
            return;
        }
        Rejections rejections = new Rejections();
        List<ClusterSnapshot.Node> candidates = candidates(pod.podClass(), rules, rejections);
        if (candidates.isEmpty()) {
            Diagnosis diagnosis = rejections.diagnosis(
                    snapshot.nodeCount(), pod.podClass().shape().preempts());
            waiting.add(new Plan.Waiting(pod, diagnosis));
            if (rules == null) {
                failures.put(pod.podClass(), new Failure(diagnosis, bindings.size()));
            }
            return;
        }
        String node = scores.best(pod, candidates, rules).spec().name();
        snapshot.putPod(pod.on(node));
        bindings.add(new Plan.Binding(pod, node));
    }

    private List<ClusterSnapshot.Node> candidates(PodClass podClass, @Nullable PodRules rules, Rejections rejections) {
        List<ClusterSnapshot.Node> candidates = new ArrayList<>();
        for (ClusterSnapshot.Node node : snapshot.slots()) {
            if (node == null) {
                continue;
            }
            NodeVerdict verdict = podClass.verdict(node);
            if (verdict != NodeVerdict.FITS) {
                rejections.add(verdict);
            } else if (Fit.check(snapshot, podClass, node, rejections)
                    && (rules == null || rules.check(node, rejections))) {
                candidates.add(node);
            }
        }
        return candidates;
    }
}
