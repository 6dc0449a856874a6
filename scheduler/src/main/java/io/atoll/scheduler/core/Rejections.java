package io.atoll.scheduler.core;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Counts why nodes reject one pod. Used on one thread, for one pod at a time. */
final class Rejections {
    static final String NO_PORTS = "node(s) didn't have free ports for the requested pod ports";
    static final String TOO_MANY_PODS = "Too many pods";
    static final String NO_GPU_PART = "node(s) didn't have so much of a GPU free";
    static final String GPU_TOO_SMALL = "node(s) didn't have GPUs of so much memory, or don't say how much they have";

    private final Map<String, Integer> reasons = new HashMap<>();
    private final Map<NodeVerdict, Integer> verdicts = new EnumMap<>(NodeVerdict.class);
    private int beyondPreemption;

    /** By the node itself, which no eviction changes. */
    void add(NodeVerdict verdict) {
        verdicts.merge(verdict, 1, Integer::sum);
        beyondPreemption++;
    }

    void add(String reason) {
        reasons.merge(reason, 1, Integer::sum);
    }

    /** Marks the node of the reasons just added as one that eviction would not open. */
    void markBeyondPreemption() {
        beyondPreemption++;
    }

    Diagnosis diagnosis(int nodes, boolean preempts) {
        Map<String, Integer> all = new HashMap<>(reasons);
        verdicts.forEach((verdict, count) -> all.put(verdict.reason(), count));
        return new Diagnosis(nodes, all, beyondPreemption, preempts);
    }
}
