package io.atoll.scheduler.grouper;

import io.atoll.scheduler.crd.SubGroupSpec;
import io.atoll.scheduler.crd.TopologyConstraint;
import java.util.List;
import java.util.Optional;

/**
 * What a kind's rule says of a pod's group. Immutable; the {@code with} methods give changed copies.
 *
 * @param owner with which the group goes
 * @param minMember at least 1
 * @param subGroup the part that the pod joins; empty for none
 * @param defaultClass the priority class of workloads that name none
 * @param topology empty to take what the owner's annotations say
 */
record Gang(
        String name,
        Owner owner,
        int minMember,
        List<SubGroupSpec> subGroups,
        String subGroup,
        String defaultClass,
        Optional<TopologyConstraint> topology) {
    static final String TRAIN = "train";
    static final String BUILD = "build";
    static final String INFERENCE = "inference";

    Gang {
        subGroups = List.copyOf(subGroups);
    }

    /** All pods of an owner; any one of them may start. */
    static Gang of(Owner owner) {
        return named("pg-" + owner.name() + "-" + owner.uid(), owner);
    }

    static Gang named(String name, Owner owner) {
        return new Gang(name, owner, 1, List.of(), "", TRAIN, Optional.empty());
    }

    Gang withMinMember(int min) {
        return new Gang(name, owner, Math.max(1, min), subGroups, subGroup, defaultClass, topology);
    }

    Gang withDefaultClass(String priorityClass) {
        return new Gang(name, owner, minMember, subGroups, subGroup, priorityClass, topology);
    }

    Gang withSubGroups(List<SubGroupSpec> parts, String joined) {
        return new Gang(name, owner, minMember, parts, joined, defaultClass, topology);
    }

    Gang withTopology(Optional<TopologyConstraint> constraint) {
        return new Gang(name, owner, minMember, subGroups, subGroup, defaultClass, constraint);
    }
}
