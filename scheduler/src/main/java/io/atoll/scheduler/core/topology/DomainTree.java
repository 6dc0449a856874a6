package io.atoll.scheduler.core.topology;

import io.atoll.scheduler.core.ClusterSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The domains of one topology, over the nodes that carry all its labels. Not changed once built. */
public final class DomainTree {
    private final Topology topology;
    private final long nodeGeneration;
    private final Domain root = new Domain(-1, "");

    public DomainTree(ClusterSnapshot snapshot, Topology topology) {
        this.topology = topology;
        this.nodeGeneration = snapshot.nodeGeneration();
        List<ClusterSnapshot.Node> nodes = new ArrayList<>(snapshot.nodes());
        nodes.sort(Comparator.comparing(node -> node.spec().name()));
        for (ClusterSnapshot.Node node : nodes) {
            if (node.spec().labels().keySet().containsAll(topology.levels())) {
                Domain domain = root;
                domain.add(node);
                for (String level : topology.levels()) {
                    domain = domain.child(node.spec().labels().getOrDefault(level, ""));
                    domain.add(node);
                }
            }
        }
    }

    /** Whether it is of this topology and of the nodes as they are. */
    public boolean isOf(Topology wanted, ClusterSnapshot snapshot) {
        return topology.equals(wanted) && nodeGeneration == snapshot.nodeGeneration();
    }

    Topology topology() {
        return topology;
    }

    Domain root() {
        return root;
    }
}
