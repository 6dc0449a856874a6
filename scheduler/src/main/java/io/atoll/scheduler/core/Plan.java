package io.atoll.scheduler.core;

import java.util.List;

/** What to do: who goes where, and why the others wait. Immutable, in the order of decision. */
public record Plan(List<Binding> bindings, List<Waiting> waiting) {
    public Plan {
        bindings = List.copyOf(bindings);
        waiting = List.copyOf(waiting);
    }

    /** A pod that goes to a node. */
    public record Binding(PendingPod pod, String node) {}

    /** A pod that no node can take now. */
    public record Waiting(PendingPod pod, Diagnosis diagnosis) {}
}
