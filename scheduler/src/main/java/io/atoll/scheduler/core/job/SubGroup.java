package io.atoll.scheduler.core.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of the tree that a job's pods form: groups in it, and the pod sets that are its leaves. */
public final class SubGroup {
    private static final Comparator<PodSet> BY_NAME = Comparator.comparing(PodSet::name);

    private final Job job;
    private final String name;
    private final @Nullable TopologyConstraint topology;
    private final List<SubGroup> groups = new ArrayList<>();
    private final List<PodSet> podSets = new ArrayList<>();

    SubGroup(Job job, String name, @Nullable TopologyConstraint topology) {
        this.job = job;
        this.name = name;
        this.topology = topology;
    }

    public String name() {
        return name;
    }

    public @Nullable TopologyConstraint topology() {
        return topology;
    }

    /** Adds a group, in the order of names. */
    public SubGroup addGroup(String child, @Nullable TopologyConstraint constraint) {
        SubGroup added = new SubGroup(job, child, constraint);
        groups.add(added);
        groups.sort(Comparator.comparing(SubGroup::name));
        return added;
    }

    public PodSet addPodSet(String child, int minAvailable, @Nullable TopologyConstraint constraint) {
        PodSet added = new PodSet(job, child, minAvailable, constraint);
        podSets.add(added);
        podSets.sort(BY_NAME);
        job.register(added);
        return added;
    }

    /** By name. */
    public List<SubGroup> groups() {
        return Collections.unmodifiableList(groups);
    }

    /** By name. */
    public List<PodSet> podSets() {
        return Collections.unmodifiableList(podSets);
    }

    /** Whether any constraint is on this group or below. */
    boolean isConstrained() {
        return topology != null
                || podSets.stream().anyMatch(set -> set.topology() != null)
                || groups.stream().anyMatch(SubGroup::isConstrained);
    }
}
