package io.atoll.scheduler.crd;

import java.util.List;

/**
 * A Topology as its object says it. Immutable.
 *
 * @param levels node labels, the largest domain first
 */
public record TopologyDefinition(String name, List<String> levels) {
    public TopologyDefinition {
        levels = List.copyOf(levels);
    }
}
