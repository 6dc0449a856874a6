package io.atoll.scheduler.core;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Why no node can take a pod.
 *
 * @param reasons how many nodes gave each reason; a node may give several
 * @param beyondPreemption nodes that evicting their pods would not open
 * @param preempts whether the pod may preempt at all
 */
public record Diagnosis(int nodes, Map<String, Integer> reasons, int beyondPreemption, boolean preempts) {
    public Diagnosis {
        reasons = Map.copyOf(reasons);
    }

    /** The text of the condition and of the event, as kube-scheduler words and orders it. */
    public String message() {
        if (nodes == 0) {
            return "no nodes available to schedule pods";
        }
        return summary(reasons) + " preemption: " + preemption();
    }

    private String preemption() {
        if (!preempts) {
            return "not eligible due to preemptionPolicy=Never.";
        }
        SortedMap<String, Integer> outcomes = new TreeMap<>();
        outcomes.put("Preemption is not helpful for scheduling", beyondPreemption);
        outcomes.put("No preemption victims found for incoming pod", nodes - beyondPreemption);
        return summary(outcomes);
    }

    private String summary(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .sorted()
                .collect(Collectors.joining(", ", "0/" + nodes + " nodes are available: ", "."));
    }
}
