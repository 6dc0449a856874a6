package io.atoll.scheduler.core.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The usable queues of a cluster, parents first. Always a forest: queues whose way to the top is broken are left out and
 * named in {@link #problems}. The order of everything here depends on the queues alone, never on the order of arrival.
 * One thread.
 */
public final class QueueTree {
    /** Among siblings: priority, then age, then name. */
    static final Comparator<QueueSpec> ORDER = Comparator.comparingInt(QueueSpec::priority)
            .reversed()
            .thenComparingLong(QueueSpec::createdMillis)
            .thenComparing(QueueSpec::name);

    private final List<Queue> queues;
    private final List<Queue> roots;
    private final List<Queue> leaves;
    private final Map<String, Queue> byName;
    private final List<QueueProblem> problems;
    final FairShareScratch scratch;

    private QueueTree(List<Queue> queues, List<QueueProblem> problems) {
        this.queues = List.copyOf(queues);
        this.roots = queues.stream().filter(queue -> queue.parent() == null).toList();
        this.leaves = queues.stream().filter(Queue::isLeaf).toList();
        this.byName = new HashMap<>(queues.size() * 2);
        queues.forEach(queue -> byName.put(queue.name(), queue));
        this.problems = List.copyOf(problems);
        this.scratch = new FairShareScratch(queues.size());
    }

    /** Builds the tree of the queues that can be used. */
    public static QueueTree of(Collection<QueueSpec> specs) {
        List<QueueSpec> ordered = new ArrayList<>(specs);
        ordered.sort(ORDER);
        List<QueueProblem> problems = new ArrayList<>();
        List<QueueSpec> sound = QueueCheck.sound(ordered, problems);

        Map<String, List<QueueSpec>> childrenOf = new HashMap<>();
        List<QueueSpec> tops = new ArrayList<>();
        for (QueueSpec spec : sound) {
            String parent = spec.parent();
            if (parent == null) {
                tops.add(spec);
            } else {
                childrenOf.computeIfAbsent(parent, _ -> new ArrayList<>()).add(spec);
            }
        }
        List<Queue> queues = new ArrayList<>(sound.size());
        for (QueueSpec spec : tops) {
            queues.add(new Queue(spec, null, queues.size()));
        }
        for (int next = 0; next < queues.size(); next++) {
            Queue parent = queues.get(next);
            List<Queue> children = new ArrayList<>();
            for (QueueSpec spec : childrenOf.getOrDefault(parent.name(), List.of())) {
                Queue child = new Queue(spec, parent, queues.size());
                queues.add(child);
                children.add(child);
            }
            parent.setChildren(children);
        }
        return new QueueTree(queues, problems);
    }

    /**
     * Fairness without hierarchy: the queues that have children only pass their names on; the leaves stand side by side
     * below one unlimited queue.
     */
    public static QueueTree flat(Collection<QueueSpec> specs, String rootName) {
        Set<String> parents = new HashSet<>();
        for (QueueSpec spec : specs) {
            String parent = spec.parent();
            if (parent != null) {
                parents.add(parent);
            }
        }
        List<QueueSpec> flat = new ArrayList<>();
        flat.add(QueueSpec.unlimited(rootName));
        for (QueueSpec spec : specs) {
            if (spec.parent() != null && !parents.contains(spec.name())) {
                flat.add(spec.toBuilder().parent(rootName).build());
            }
        }
        return of(flat);
    }

    /** What is wrong with the declared queues, ordered by queue name. */
    public List<QueueProblem> problems() {
        return problems;
    }

    public @Nullable Queue find(String name) {
        return byName.get(name);
    }

    /** Every usable queue, parents before their children. */
    public List<Queue> queues() {
        return queues;
    }

    /** Top-level queues, ordered by priority (highest first), age, name. */
    public List<Queue> roots() {
        return roots;
    }

    /** The queues that jobs run in. */
    public List<Queue> leaves() {
        return leaves;
    }
}
