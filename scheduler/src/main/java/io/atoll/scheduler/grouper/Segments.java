package io.atoll.scheduler.grouper;

import io.atoll.scheduler.crd.SchedulingKeys;
import io.atoll.scheduler.crd.SubGroupSpec;
import io.atoll.scheduler.crd.TopologyConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pods of equal role cut into segments that each stay together, as the owner's annotations say.
 *
 * @param size pods in a segment
 * @param topology where each of them must be
 */
record Segments(int size, Optional<TopologyConstraint> topology) {
    /** Empty when the owner asks for none. */
    static Optional<Segments> of(Owner owner) {
        String size = owner.annotation(SchedulingKeys.SEGMENT_SIZE);
        if (size.isEmpty()) {
            return Optional.empty();
        }
        TopologyConstraint constraint = new TopologyConstraint(
                owner.annotation(SchedulingKeys.TOPOLOGY),
                owner.annotation(SchedulingKeys.SEGMENT_REQUIRED),
                owner.annotation(SchedulingKeys.SEGMENT_PREFERRED));
        boolean placed =
                !constraint.required().isEmpty() || !constraint.preferred().isEmpty();
        return Optional.of(new Segments(
                Counts.positive(size, SchedulingKeys.SEGMENT_SIZE),
                placed ? Optional.of(constraint) : Optional.empty()));
    }

    int count(int pods) {
        return (pods + size - 1) / size;
    }

    /** {@code PREFIX-0}, {@code PREFIX-1}...; the last one takes the rest. */
    List<SubGroupSpec> parts(String prefix, int pods, String parent) {
        List<SubGroupSpec> parts = new ArrayList<>();
        for (int i = 0; i < count(pods); i++) {
            int members = Math.min(size, pods - i * size);
            parts.add(SubGroupSpec.of(prefix + "-" + i, members).below(parent).at(topology));
        }
        return parts;
    }

    /** The segment of the pod with an index, counted from zero. */
    String joined(String prefix, int index) {
        return prefix + "-" + index / size;
    }
}
