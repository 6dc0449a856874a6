package io.atoll.scheduler.crd;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A PodGroup as its object says it. Immutable.
 *
 * @param queue the name of its queue; empty when it names none
 * @param minMember so many pods start together; at least 1, and of no meaning when there are sub-groups
 * @param minSubGroup so many of the top-level sub-groups start together; empty for all
 * @param preemptibility empty when the priority decides
 * @param nodePool empty for the default one
 * @param markUnschedulable whether waiting pods get a condition
 * @param triesOnce whether the group is left alone once it did not fit into its node pool
 * @param subGroups in the object's order, each name once and each parent present: see {@link SubGroups#valid}
 * @param lastStart when it last began to run
 * @param staleSince since when it runs below its minimum
 * @param stalenessGrace how long it may; empty for the scheduler's default, negative for ever
 */
public record PodGroupSpec(
        String namespace,
        String name,
        String uid,
        Instant created,
        String queue,
        int minMember,
        Optional<Integer> minSubGroup,
        String priorityClass,
        Optional<Preemptibility> preemptibility,
        String nodePool,
        boolean markUnschedulable,
        boolean triesOnce,
        Optional<TopologyConstraint> topology,
        List<SubGroupSpec> subGroups,
        Optional<Instant> lastStart,
        Optional<Instant> staleSince,
        Optional<Duration> stalenessGrace) {
    public PodGroupSpec {
        subGroups = List.copyOf(subGroups);
    }

    /** The parts directly below one, or the top-level parts of an empty name. */
    public List<SubGroupSpec> below(String parent) {
        return subGroups.stream().filter(part -> part.parent().equals(parent)).toList();
    }

    /** The parts that pods join: those without parts below them. */
    public List<SubGroupSpec> leaves() {
        return subGroups.stream()
                .filter(part ->
                        subGroups.stream().noneMatch(other -> other.parent().equals(part.name())))
                .toList();
    }
}
