package io.atoll.scheduler.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * What the pods that are placed mean for one pod: affinity and anti-affinity, of the pod and against it.
 *
 * <p>Made for one pod in one state of the snapshot; looks at every placed pod once if the pod has rules.
 */
final class PodRules {
    private static final long AFFINITY_WEIGHT = 2;
    private static final long SPREAD_WEIGHT = 2;

    private static final String AFFINITY = "node(s) didn't match pod affinity rules";
    private static final String ANTI_AFFINITY = "node(s) didn't match pod anti-affinity rules";
    private static final String OTHERS_ANTI_AFFINITY = "node(s) didn't satisfy existing pods anti-affinity rules";

    /** A value of a node label within which pods count as together. */
    private record Domain(String topologyKey, String value) {}

    private final PodShape shape;
    private final Set<Domain> attracted = new HashSet<>();
    private final Set<Domain> repelled = new HashSet<>();
    private final Set<Domain> repelledByOthers = new HashSet<>();
    private final Map<Domain, Long> preferred = new HashMap<>();
    private final boolean firstOfItsKind;
    private final List<SpreadCount> spread = new ArrayList<>();

    private PodRules(ClusterSnapshot snapshot, PendingPod pod) {
        shape = pod.podClass().shape();
        Map<String, Map<String, String>> namespaceLabels = snapshot.namespaceLabels();
        for (PlacedPod placed : snapshot.antiAffinityPods()) {
            ClusterSnapshot.Node node = snapshot.node(placed.node());
            if (node == null) {
                continue;
            }
            for (PodTerm term : placed.podClass().shape().antiAffinity()) {
                if (term.selects(pod.namespace(), pod.labels(), namespaceLabels)) {
                    addDomain(repelledByOthers, term, node);
                }
            }
        }
        if (!shape.affinity().isEmpty()
                || !shape.antiAffinity().isEmpty()
                || !shape.preferredPods().isEmpty()) {
            for (ClusterSnapshot.Node node : snapshot.slots()) {
                if (node != null) {
                    node.pods().forEach(placed -> count(placed, node, namespaceLabels));
                }
            }
        }
        firstOfItsKind = attracted.isEmpty()
                && shape.affinity().stream()
                        .allMatch(term -> term.selects(pod.namespace(), pod.labels(), namespaceLabels));
        for (SpreadConstraint constraint : shape.spread()) {
            spread.add(new SpreadCount(snapshot, pod, constraint));
        }
    }

    /** The rules that matter to a pod, if any. */
    static Optional<PodRules> of(ClusterSnapshot snapshot, PendingPod pod) {
        if (!pod.podClass().shape().hasPodRules() && snapshot.antiAffinityPods().isEmpty()) {
            return Optional.empty();
        }
        PodRules rules = new PodRules(snapshot, pod);
        return rules.mattersNot() ? Optional.empty() : Optional.of(rules);
    }

    private boolean mattersNot() {
        return repelledByOthers.isEmpty() && !shape.hasPodRules();
    }

    /** Counts the first rule that a node breaks; answers whether it breaks none. */
    boolean check(ClusterSnapshot.Node node, Rejections rejections) {
        for (SpreadCount constraint : spread) {
            if (!constraint.check(node, rejections)) {
                return false;
            }
        }
        for (PodTerm term : shape.affinity()) {
            String value = node.spec().labels().get(term.topologyKey());
            if (value == null || (!firstOfItsKind && !attracted.contains(new Domain(term.topologyKey(), value)))) {
                rejections.add(AFFINITY);
                rejections.markBeyondPreemption();
                return false;
            }
        }
        if (isIn(repelled, shape.antiAffinity(), node)) {
            rejections.add(ANTI_AFFINITY);
            return false;
        }
        for (Domain domain : repelledByOthers) {
            if (domain.value.equals(node.spec().labels().get(domain.topologyKey))) {
                rejections.add(OTHERS_ANTI_AFFINITY);
                return false;
            }
        }
        return true;
    }

    /** What other pods add to the scores of nodes that can take the pod: each part stretched over 0 to 100. */
    long[] scores(List<ClusterSnapshot.Node> nodes) {
        long[] totals = new long[nodes.size()];
        addStretched(totals, AFFINITY_WEIGHT, i -> preference(nodes.get(i)));
        addStretched(totals, SPREAD_WEIGHT, i -> -crowding(nodes.get(i)));
        return totals;
    }

    private static void addStretched(long[] totals, long weight, IntToLongFunction score) {
        long[] scores = IntStream.range(0, totals.length).mapToLong(score).toArray();
        long least = Arrays.stream(scores).min().orElse(0);
        long most = Arrays.stream(scores).max().orElse(0);
        if (least == most) {
            return;
        }
        for (int i = 0; i < scores.length; i++) {
            totals[i] += weight * ((scores[i] - least) * Scores.FULL / (most - least));
        }
    }

    /** How well the pod likes the pods near a node; may be negative. */
    private long preference(ClusterSnapshot.Node node) {
        long sum = 0;
        for (Map.Entry<Domain, Long> entry : preferred.entrySet()) {
            Domain domain = entry.getKey();
            if (domain.value.equals(node.spec().labels().get(domain.topologyKey))) {
                sum += entry.getValue();
            }
        }
        return sum;
    }

    /** How crowded the node's domains are already; less is better. */
    private long crowding(ClusterSnapshot.Node node) {
        long sum = 0;
        for (SpreadCount constraint : spread) {
            sum += constraint.crowding(node);
        }
        return sum;
    }

    private void count(PlacedPod placed, ClusterSnapshot.Node node, Map<String, Map<String, String>> namespaceLabels) {
        boolean matchesAll = !shape.affinity().isEmpty();
        for (PodTerm term : shape.affinity()) {
            matchesAll &= term.selects(placed.namespace(), placed.labels(), namespaceLabels);
        }
        if (matchesAll) {
            shape.affinity().forEach(term -> addDomain(attracted, term, node));
        }
        for (PodTerm term : shape.antiAffinity()) {
            if (term.selects(placed.namespace(), placed.labels(), namespaceLabels)) {
                addDomain(repelled, term, node);
            }
        }
        for (PodShape.Weighted<PodTerm> preference : shape.preferredPods()) {
            PodTerm term = preference.term();
            String value = node.spec().labels().get(term.topologyKey());
            if (value != null && term.selects(placed.namespace(), placed.labels(), namespaceLabels)) {
                preferred.merge(new Domain(term.topologyKey(), value), (long) preference.weight(), Long::sum);
            }
        }
    }

    private static void addDomain(Set<Domain> domains, PodTerm term, ClusterSnapshot.Node node) {
        String value = node.spec().labels().get(term.topologyKey());
        if (value != null) {
            domains.add(new Domain(term.topologyKey(), value));
        }
    }

    private static boolean isIn(Set<Domain> domains, List<PodTerm> terms, ClusterSnapshot.Node node) {
        if (domains.isEmpty()) {
            return false;
        }
        for (PodTerm term : terms) {
            String value = node.spec().labels().get(term.topologyKey());
            if (value != null && domains.contains(new Domain(term.topologyKey(), value))) {
                return true;
            }
        }
        return false;
    }
}
