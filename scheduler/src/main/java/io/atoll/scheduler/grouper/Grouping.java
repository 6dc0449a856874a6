package io.atoll.scheduler.grouper;

import io.atoll.model.Metadata.OwnerReference;
import io.atoll.scheduler.crd.Preemptibility;
import io.atoll.scheduler.crd.SubGroupSpec;
import io.atoll.scheduler.crd.TopologyConstraint;
import java.util.List;
import java.util.Optional;

/**
 * What a pod's group is to be, and where in it the pod belongs. Immutable.
 *
 * @param owner with which the group goes
 * @param topOwner of whom the group is told to be
 * @param subGroup the part of the group that the pod joins; empty when it has none
 * @param nodePool empty for the default one
 * @param user empty when nobody is named
 */
public record Grouping(
        String namespace,
        String name,
        OwnerReference owner,
        Owner topOwner,
        int minMember,
        List<SubGroupSpec> subGroups,
        String subGroup,
        String queue,
        String priorityClass,
        Optional<Preemptibility> preemptibility,
        Optional<TopologyConstraint> topology,
        String nodePool,
        String user) {
    public Grouping {
        subGroups = List.copyOf(subGroups);
    }
}
