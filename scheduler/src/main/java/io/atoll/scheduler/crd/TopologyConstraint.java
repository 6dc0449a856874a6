package io.atoll.scheduler.crd;

import io.atoll.model.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How close together pods run. Immutable.
 *
 * @param topology names a Topology
 * @param required a node label of one of its levels; empty for none
 * @param preferred likewise
 */
public record TopologyConstraint(String topology, String required, String preferred) {
    /** Empty when the object says nothing. */
    public static Optional<TopologyConstraint> read(JsonNode constraint) {
        TopologyConstraint read = new TopologyConstraint(
                constraint.path("topology").asString(""),
                constraint.path("requiredTopologyLevel").asString(""),
                constraint.path("preferredTopologyLevel").asString(""));
        return read.isEmpty() ? Optional.empty() : Optional.of(read);
    }

    public boolean isEmpty() {
        return topology.isEmpty() && required.isEmpty() && preferred.isEmpty();
    }

    public ObjectNode toTree() {
        ObjectNode tree = Json.object();
        putIfAny(tree, "topology", topology);
        putIfAny(tree, "requiredTopologyLevel", required);
        putIfAny(tree, "preferredTopologyLevel", preferred);
        return tree;
    }

    private static void putIfAny(ObjectNode tree, String field, String value) {
        if (!value.isEmpty()) {
            tree.put(field, value);
        }
    }
}
