package io.atoll.scheduler.crd;

import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads Topologies. Stateless. */
public final class TopologyReader {
    private TopologyReader() {}

    public static TopologyDefinition read(JsonNode topology) {
        List<String> levels = new ArrayList<>();
        topology.path("spec")
                .path("levels")
                .forEach(level -> levels.add(level.path("nodeLabel").asString("")));
        return new TopologyDefinition(Metadata.name(topology), levels);
    }
}
