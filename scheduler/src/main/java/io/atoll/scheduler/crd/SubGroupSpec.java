package io.atoll.scheduler.crd;

import io.atoll.model.Json;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A part of a pod group. Immutable.
 *
 * @param minMember of a part without parts below it: so many of its pods start together; at least 1
 * @param minSubGroup of a part with parts below it: so many of those start together; empty for all
 * @param parent empty for a top-level part
 */
public record SubGroupSpec(
        String name,
        int minMember,
        Optional<Integer> minSubGroup,
        String parent,
        Optional<TopologyConstraint> topology) {
    /** A top-level part without a place to be. */
    public static SubGroupSpec of(String name, int minMember) {
        return new SubGroupSpec(name, minMember, Optional.empty(), "", Optional.empty());
    }

    public SubGroupSpec below(String other) {
        return new SubGroupSpec(name, minMember, minSubGroup, other, topology);
    }

    public SubGroupSpec at(Optional<TopologyConstraint> constraint) {
        return new SubGroupSpec(name, minMember, minSubGroup, parent, constraint);
    }

    public ObjectNode toTree() {
        ObjectNode tree = Json.object().put("name", name).put("minMember", minMember);
        minSubGroup.ifPresent(min -> tree.put("minSubGroup", min));
        if (!parent.isEmpty()) {
            tree.put("parent", parent);
        }
        topology.ifPresent(constraint -> tree.set("topologyConstraint", constraint.toTree()));
        return tree;
    }
}
