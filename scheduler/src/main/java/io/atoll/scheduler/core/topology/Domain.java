package io.atoll.scheduler.core.topology;

import io.atoll.scheduler.core.ClusterSnapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Nodes that are near each other: those of equal labels down to a level. Not changed once its tree is built. */
final class Domain {
    private final int level;
    private final String id;
    private final SortedMap<String, Domain> children = new TreeMap<>();
    private final BitSet slots = new BitSet();
    private final List<ClusterSnapshot.Node> nodes = new ArrayList<>();

    /** @param level -1 for the root, which holds all nodes of the topology */
    Domain(int level, String id) {
        this.level = level;
        this.id = id;
    }

    int level() {
        return level;
    }

    /** The labels' values from the first level on, each after a slash, so that no two domains have the same. */
    String id() {
        return id;
    }

    Iterable<Domain> children() {
        return children.values();
    }

    BitSet slots() {
        return slots;
    }

    List<ClusterSnapshot.Node> nodes() {
        return nodes;
    }

    void add(ClusterSnapshot.Node node) {
        slots.set(node.slot());
        nodes.add(node);
    }

    Domain child(String value) {
        return children.computeIfAbsent(value, added -> new Domain(level + 1, id + '/' + added));
    }
}
