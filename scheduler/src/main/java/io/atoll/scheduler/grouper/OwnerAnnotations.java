package io.atoll.scheduler.grouper;

import io.atoll.scheduler.crd.SchedulingKeys;
import io.atoll.scheduler.crd.TopologyConstraint;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads where a workload wants to be off its annotations. Stateless. */
final class OwnerAnnotations {
    private OwnerAnnotations() {}

    /**
     * @param annotation the value of an annotation, empty when it is missing
     * @param otherTopology the topology where the annotations name only levels
     */
    static Optional<TopologyConstraint> topology(UnaryOperator<String> annotation, String otherTopology) {
        String named = annotation.apply(SchedulingKeys.TOPOLOGY);
        String required = annotation.apply(SchedulingKeys.TOPOLOGY_REQUIRED);
        String preferred = annotation.apply(SchedulingKeys.TOPOLOGY_PREFERRED);
        if (required.isEmpty() && preferred.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new TopologyConstraint(named.isEmpty() ? otherTopology : named, required, preferred));
    }
}
