package io.atoll.scheduler.grouper;

import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.SubGroupSpec;
import io.atoll.scheduler.crd.TopologyConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Grove, and Dynamo on it: a PodGang is a group, its cliques are the parts, some of them placed together. */
record GroveRule() implements KindRule {
    private static final String POD_GANG = "grove.io/podgang";
    private static final String POD_CLIQUE = "grove.io/podclique";
    private static final String TOPOLOGY_NAME = "grove.io/topology-name";

    @Override
    public Gang gang(Workload workload, Surroundings around) {
        String name = workload.label(POD_GANG);
        String namespace = Metadata.namespace(workload.pod());
        ObjectNode podGang = around.find("scheduler.grove.io", "PodGang", namespace, name)
                .orElseThrow(() -> new GroupingException("PodGang " + namespace + "/" + name + " is not there yet"));
        JsonNode spec = podGang.path("spec");
        String named = Metadata.annotation(podGang, TOPOLOGY_NAME);
        String topology =
                named.isEmpty() ? workload.top().annotation(io.atoll.scheduler.crd.SchedulingKeys.TOPOLOGY) : named;
        Map<String, String> parents = new HashMap<>();
        List<SubGroupSpec> parts = new ArrayList<>();
        for (JsonNode group : spec.path("topologyConstraintGroupConfigs")) {
            String groupName = group.path("name").asString("");
            if (!groupName.isEmpty() && !group.path("podGroupNames").isEmpty()) {
                group.path("podGroupNames").forEach(clique -> parents.put(clique.asString(""), groupName));
                parts.add(SubGroupSpec.of(groupName, 1).at(topology(group, topology)));
            }
        }
        int min = 0;
        for (JsonNode clique : spec.path("podgroups")) {
            String cliqueName = clique.path("name").asString("");
            int members = Counts.orElse(clique.path("minReplicas"), 1);
            parts.add(SubGroupSpec.of(cliqueName, members)
                    .below(parents.getOrDefault(cliqueName, ""))
                    .at(topology(clique, topology)));
            min += members;
        }
        String asked = spec.path("priorityClassName").asString("");
        boolean known = !asked.isEmpty() && around.priorityClassExists(asked);
        return Gang.of(Owner.of(podGang))
                .withMinMember(min)
                .withDefaultClass(known ? asked : Gang.TRAIN)
                .withSubGroups(parts, workload.label(POD_CLIQUE))
                .withTopology(topology(spec, topology));
    }

    private static Optional<TopologyConstraint> topology(JsonNode holder, String topology) {
        JsonNode pack = holder.path("topologyConstraint").path("packConstraint");
        String required = pack.path("required").asString("");
        String preferred = pack.path("preferred").asString("");
        return required.isEmpty() && preferred.isEmpty()
                ? Optional.empty()
                : Optional.of(new TopologyConstraint(topology, required, preferred));
    }
}
