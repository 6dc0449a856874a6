package io.atoll.scheduler.core.topology;

import io.atoll.scheduler.core.ClusterSnapshot;
import io.atoll.scheduler.core.Nearness;
import io.atoll.scheduler.core.Placer;
import io.atoll.scheduler.core.PodClass;
import io.atoll.scheduler.core.job.Place;
import io.atoll.scheduler.core.job.Task;
import io.atoll.scheduler.core.job.TopologyConstraint;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the domains that could hold pods which are to be near each other. On the snapshot's thread.
 *
 * <p>The deepest level that is asked for is tried first, then the wider ones up to the required level; on each level the
 * domain that the pods fill most comes first, so that the larger holes stay. A required level at which pods run already
 * admits only the domains that hold them.
 */
public final class DomainSearch {
    private final ClusterSnapshot snapshot;
    private final Placer placer;

    public DomainSearch(ClusterSnapshot snapshot, Placer placer) {
        this.snapshot = snapshot;
        this.placer = placer;
    }

    /**
     * Nodes to try.
     *
     * @param slots the nodes
     * @param nearness by slot, how good a node is as to the preferred level; null when all are equal
     */
    public record Attempt(BitSet slots, @Nullable Nearness nearness) {}

    /**
     * What a search found, in the order in which to try.
     *
     * @param problem why there is nothing to try; empty when there is something
     */
    public record Result(List<Attempt> attempts, String problem) {
        static Result none(String problem) {
            return new Result(List.of(), problem);
        }
    }

    /** A domain with what it could hold. */
    private record Rated(double share, long room) {}

    /** How full the pods would make a domain; above 1 when it does not hold them. */
    private static double share(Map<Domain, Rated> rated, Domain domain) {
        Rated known = rated.get(domain);
        return known == null ? Double.MAX_VALUE : known.share;
    }

    private static long room(Map<Domain, Rated> rated, Domain domain) {
        Rated known = rated.get(domain);
        return known == null ? 0 : known.room;
    }

    /** A level's position in its topology. */
    private record Levels(int required, int preferred) {}

    /**
     * The domains to try for the tasks.
     *
     * @param within the nodes to stay in; null for all
     * @param held slots of the nodes on which pods of the same group are
     */
    public Result find(
            DomainTree tree, TopologyConstraint constraint, List<Task> tasks, @Nullable BitSet within, BitSet held) {
        List<String> names = tree.topology().levels();
        Levels levels = new Levels(level(names, constraint.required()), level(names, constraint.preferred()));
        for (String label : new String[] {constraint.required(), constraint.preferred()}) {
            if (label != null && !names.contains(label)) {
                return Result.none("topology " + constraint.topology() + " has no level " + label + "; its levels are "
                        + String.join(", ", names));
            }
        }
        int deepest = Math.max(levels.required, levels.preferred);
        int widest = Math.max(levels.required, -1);
        Map<Domain, Rated> rated = new HashMap<>();
        rate(tree.root(), Math.max(deepest, levels.preferred), tasks, within, rated);
        List<List<Domain>> byLevel = new ArrayList<>();
        for (int level = 0; level <= deepest + 1; level++) {
            byLevel.add(new ArrayList<>());
        }
        collect(tree.root(), deepest, rated, byLevel);
        List<Attempt> attempts = new ArrayList<>();
        for (int level = deepest; level >= widest; level--) {
            addAttempts(attempts, byLevel.get(level + 1), levels, within, held, rated);
        }
        return attempts.isEmpty()
                ? Result.none(problem(tree, constraint, levels, tasks, held, rated))
                : new Result(attempts, "");
    }

    private static int level(List<String> levels, @Nullable String label) {
        return label == null ? -1 : levels.indexOf(label);
    }

    private void addAttempts(
            List<Attempt> attempts,
            List<Domain> domains,
            Levels levels,
            @Nullable BitSet within,
            BitSet held,
            Map<Domain, Rated> rated) {
        List<Domain> fitting = new ArrayList<>();
        for (Domain domain : domains) {
            if (share(rated, domain) <= 1) {
                fitting.add(domain);
            }
        }
        if (!held.isEmpty()) {
            // a stable sort: where pods are already comes first, else the order stays
            fitting.sort(Comparator.comparing(domain -> !domain.slots().intersects(held)));
        }
        for (Domain domain : fitting) {
            if (levels.required >= 0 && !held.isEmpty() && !requiredHolds(domain, levels, held)) {
                continue;
            }
            BitSet slots = domain.slots();
            if (within != null) {
                slots = (BitSet) slots.clone();
                slots.and(within);
            }
            attempts.add(new Attempt(slots, nearness(domain, levels, held, rated)));
        }
    }

    /** Whether a domain, which is at the required level or below, lies where pods run already. */
    private static boolean requiredHolds(Domain domain, Levels levels, BitSet held) {
        return domain.level() != levels.required || domain.slots().intersects(held);
    }

    private @Nullable Nearness nearness(Domain domain, Levels levels, BitSet held, Map<Domain, Rated> rated) {
        if (levels.preferred <= domain.level()) {
            return null;
        }
        List<Domain> parts = new ArrayList<>();
        gather(domain, levels.preferred, parts);
        parts.sort(Comparator.<Domain, Boolean>comparing(part -> !part.slots().intersects(held))
                .thenComparingLong(part -> -room(rated, part))
                .thenComparing(Domain::id));
        Nearness nearness = new Nearness(domain.slots().length());
        for (int i = 0; i < parts.size(); i++) {
            nearness.set(parts.get(i).slots(), parts.size() - i);
        }
        return nearness;
    }

    private static void gather(Domain domain, int level, List<Domain> into) {
        if (domain.level() == level) {
            into.add(domain);
        } else {
            domain.children().forEach(child -> gather(child, level, into));
        }
    }

    /** Lists the domains by level, siblings fullest first all the way down. */
    private static void collect(Domain domain, int deepest, Map<Domain, Rated> rated, List<List<Domain>> byLevel) {
        byLevel.get(domain.level() + 1).add(domain);
        if (domain.level() == deepest) {
            return;
        }
        List<Domain> children = new ArrayList<>();
        domain.children().forEach(children::add);
        children.sort(Comparator.<Domain>comparingDouble(child -> -share(rated, child))
                .thenComparing(Domain::id));
        children.forEach(child -> collect(child, deepest, rated, byLevel));
    }

    // ---- what domains could hold ----

    private void rate(Domain root, int deepest, List<Task> tasks, @Nullable BitSet within, Map<Domain, Rated> into) {
        Map<PodClass, Integer> classes = new LinkedHashMap<>();
        tasks.forEach(task -> classes.merge(task.pod().podClass(), 1, Integer::sum));
        rate(root, deepest, classes, within, into);
    }

    private long[] rate(
            Domain domain,
            int deepest,
            Map<PodClass, Integer> classes,
            @Nullable BitSet within,
            Map<Domain, Rated> into) {
        long[] room = new long[classes.size()];
        if (domain.level() == deepest) {
            for (ClusterSnapshot.Node node : domain.nodes()) {
                if (within == null || within.get(node.slot())) {
                    int i = 0;
                    for (PodClass podClass : classes.keySet()) {
                        room[i++] += placer.room(podClass, node);
                    }
                }
            }
        } else {
            for (Domain child : domain.children()) {
                long[] part = rate(child, deepest, classes, within, into);
                for (int i = 0; i < room.length; i++) {
                    room[i] += part[i];
                }
            }
        }
        into.put(domain, rated(classes, room));
        return room;
    }

    /** How full the classes would make the domain, as if each class's pods took their part of it. */
    private static Rated rated(Map<PodClass, Integer> classes, long[] room) {
        double share = 0;
        double gpuShare = 0;
        long least = Long.MAX_VALUE;
        int i = 0;
        for (Map.Entry<PodClass, Integer> entry : classes.entrySet()) {
            double part = room[i] == 0 ? 2 : (double) entry.getValue() / room[i];
            share = Math.max(share, part);
            if (entry.getKey().wantsGpus()) {
                gpuShare += part;
            }
            least = Math.min(least, room[i]);
            i++;
        }
        // pods that all want GPUs compete for them; others may fit beside each other
        return new Rated(Math.max(share, classes.size() == 1 ? share : Math.min(gpuShare, 1)), least);
    }

    private String problem(
            DomainTree tree,
            TopologyConstraint constraint,
            Levels levels,
            List<Task> tasks,
            BitSet held,
            Map<Domain, Rated> rated) {
        if (tree.root().nodes().isEmpty()) {
            return "no node carries all labels of topology " + constraint.topology() + ": "
                    + String.join(", ", tree.topology().levels());
        }
        List<Domain> domains = new ArrayList<>();
        gather(tree.root(), levels.required, domains);
        long largest = 0;
        for (Domain domain : domains) {
            boolean admitted = held.isEmpty() || domain.slots().intersects(held);
            largest = admitted ? Math.max(largest, room(rated, domain)) : largest;
        }
        String where = constraint.required() == null ? "the nodes of the topology" : "one " + constraint.required();
        return "needs room for " + tasks.size() + " pods in " + where + " (topology " + constraint.topology()
                + "); the largest has room for " + largest;
    }

    /** The slots of the nodes on which tasks are. */
    public BitSet held(Iterable<Task> tasks) {
        BitSet held = new BitSet();
        for (Task task : tasks) {
            Place place = task.place();
            int slot = place == null || !task.status().isAllocated() ? -1 : snapshot.slot(place.node());
            if (slot >= 0) {
                held.set(slot);
            }
        }
        return held;
    }
}
