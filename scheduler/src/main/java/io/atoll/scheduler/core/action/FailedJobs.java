package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.PodClass;
import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.PodSet;
import io.atoll.scheduler.core.job.SubGroup;
import io.atoll.scheduler.core.job.Task;
import io.atoll.scheduler.core.job.TopologyConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Jobs that an action could not help, so that it does not try others like them. On the scheduler's thread. */
final class FailedJobs {
    private final Set<Kind> kinds = new HashSet<>();

    /** What makes jobs equal for an action; a job with nominated nodes or pods that others matter to equals none. */
    private record Kind(String queue, int priority, boolean preemptible, List<Part> parts) {}

    private record Part(String set, @Nullable TopologyConstraint topology, Map<PodClass, Integer> classes) {}

    /** Whether a job like this one failed. */
    boolean contains(Job job, String scope) {
        Kind kind = kind(job, scope);
        return kind != null && kinds.contains(kind);
    }

    /** @param scope the queue, where it decides; else empty */
    void add(Job job, String scope) {
        Kind kind = kind(job, scope);
        if (kind != null) {
            kinds.add(kind);
        }
    }

    private static @Nullable Kind kind(Job job, String scope) {
        if (job.allocated() > 0 && job.isConstrained()) {
            return null; // where its pods are decides
        }
        List<Part> parts = new ArrayList<>();
        for (Map.Entry<PodSet, List<Task>> entry :
                Allocator.next(job, Allocator.Pods.PENDING).entrySet()) {
            Map<PodClass, Integer> classes = new HashMap<>();
            for (Task task : entry.getValue()) {
                if (task.pod().podClass().dependsOnPods() || task.nominatedNode() != null) {
                    return null;
                }
                classes.merge(task.pod().podClass(), 1, Integer::sum);
            }
            parts.add(new Part(entry.getKey().name(), entry.getKey().topology(), classes));
        }
        addConstraints(job.root(), parts);
        return new Kind(scope, job.priority(), job.preemptible(), parts);
    }

    private static void addConstraints(SubGroup group, List<Part> parts) {
        if (group.topology() != null) {
            parts.add(new Part(group.name(), group.topology(), Map.of()));
        }
        group.groups().forEach(child -> addConstraints(child, parts));
    }
}
