package io.atoll.scheduler.core.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pods that are scheduled as one: so many of each set start together or none does. On the scheduler's thread.
 *
 * <p>Times are in milliseconds since the epoch.
 */
public final class Job {
    /** The name of the set of a job that declares none. */
    public static final String DEFAULT_POD_SET = "default";

    /**
     * The order of service in a queue: priority; then those below their minimum, those at it, those above; then age,
     * then name. Changes as pods are placed.
     */
    public static final Comparator<Job> ORDER = Comparator.comparingInt(Job::priority)
            .reversed()
            .thenComparingInt(Job::elasticity)
            .thenComparing(Job::created)
            .thenComparing(Job::key);

    private final String key;
    private final String queue;
    private final int priority;
    private final boolean preemptible;
    private final String created;
    private final SubGroup root;
    private final List<PodSet> podSets = new ArrayList<>();
    private @Nullable Long staleSince;
    private @Nullable Long lastStart;

    /**
     * @param key namespace and name of its pod group, with a slash
     * @param created in RFC 3339, which orders as text
     */
    public Job(
            String key,
            String queue,
            int priority,
            boolean preemptible,
            String created,
            @Nullable TopologyConstraint topology) {
        this.key = key;
        this.queue = queue;
        this.priority = priority;
        this.preemptible = preemptible;
        this.created = created;
        this.root = new SubGroup(this, "", topology);
    }

    void register(PodSet added) {
        podSets.add(added);
        podSets.sort(Comparator.comparing(PodSet::name));
    }

    public String key() {
        return key;
    }

    public String queue() {
        return queue;
    }

    public int priority() {
        return priority;
    }

    public boolean preemptible() {
        return preemptible;
    }

    public String created() {
        return created;
    }

    public SubGroup root() {
        return root;
    }

    /** All sets of the tree, by name. */
    public List<PodSet> podSets() {
        return Collections.unmodifiableList(podSets);
    }

    /** Since when the job runs with fewer pods than it must have; null when it does not. */
    public @Nullable Long staleSince() {
        return staleSince;
    }

    public void setStaleSince(@Nullable Long since) {
        staleSince = since;
    }

    /** When the job last began to run; null when that is not known. */
    public @Nullable Long lastStart() {
        return lastStart;
    }

    public void setLastStart(@Nullable Long start) {
        lastStart = start;
    }

    /** Whether a topology constraint is on the job or on a part of it. */
    public boolean isConstrained() {
        return root.isConstrained();
    }

    /** Whether enough pods of every set are there to start. */
    public boolean isReady() {
        return podSets.stream().allMatch(PodSet::isReady);
    }

    /** Whether every set has what it must have. */
    public boolean isSatisfied() {
        return podSets.stream().allMatch(PodSet::isSatisfied);
    }

    /** Pods that stay on nodes or are promised one. */
    public int allocated() {
        return podSets.stream().mapToInt(PodSet::allocated).sum();
    }

    /** Pods that take room, the leaving ones included. */
    public int active() {
        return podSets.stream().mapToInt(PodSet::active).sum();
    }

    /** Pods that wait for a node. */
    public int pending() {
        return podSets.stream().mapToInt(PodSet::pending).sum();
    }

    /** Pods that the cycle that runs evicts and has found no new place for. */
    public int evicted() {
        return podSets.stream().mapToInt(PodSet::evicted).sum();
    }

    /**
     * Whether the job runs with fewer pods than it must have.
     *
     * <p>A job of which a pod has succeeded is ending, not stale.
     */
    public boolean isStale() {
        return podSets.stream().allMatch(set -> set.succeeded() == 0)
                && podSets.stream().anyMatch(set -> set.active() > 0)
                && podSets.stream().anyMatch(set -> set.active() < set.minAvailable());
    }

    private int elasticity() {
        boolean above = false;
        for (PodSet set : podSets) {
            if (set.allocated() < set.minAvailable()) {
                return 0;
            }
            above |= set.allocated() > set.minAvailable();
        }
        return above ? 2 : 1;
    }

    @Override
    public String toString() {
        return key;
    }
}
