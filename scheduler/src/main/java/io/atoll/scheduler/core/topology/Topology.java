package io.atoll.scheduler.core.topology;

import java.util.List;

/**
 * How nodes are grouped. Immutable.
 *
 * @param levels node labels, of the largest groups first
 */
public record Topology(String name, List<String> levels) {
    public Topology {
        levels = List.copyOf(levels);
    }
}
