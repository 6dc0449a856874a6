package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.Nearness;
import io.atoll.scheduler.core.Placer;
import io.atoll.scheduler.core.Spot;
import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.Place;
import io.atoll.scheduler.core.job.PodSet;
import io.atoll.scheduler.core.job.SubGroup;
import io.atoll.scheduler.core.job.Task;
import io.atoll.scheduler.core.job.TaskStatus;
import io.atoll.scheduler.core.job.TopologyConstraint;
import io.atoll.scheduler.core.queue.Capacity;
import io.atoll.scheduler.core.queue.Denial;
import io.atoll.scheduler.core.queue.Queue;
import io.atoll.scheduler.core.queue.ResourceVector;
import io.atoll.scheduler.core.topology.DomainSearch;
import io.atoll.scheduler.core.topology.DomainTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds places for the pods that a job needs next: all of them or none. On the scheduler's thread.
 *
 * <p>A job that has not what it must have gets all of that at once; one that has gets one pod more.
 */
final class Allocator {
    /** Which pods places are found for. */
    enum Pods {
        /** Those that wait. */
        PENDING,
        /** Those that this cycle evicts: another place, or the one they have. */
        EVICTED
    }

    private final Session session;
    private final Placer placer;
    private final DomainSearch domains;

    private Map<PodSet, List<Task>> wanted = Map.of();
    private Failure failure = Failure.NONE;

    /**
     * Why the last attempt failed.
     *
     * @param denial by a queue
     * @param task the first pod that no node takes
     * @param problem of another kind
     */
    record Failure(
            @Nullable Denial denial,
            @Nullable Task task,
            @Nullable BitSet within,
            int placed,
            String problem) {
        static final Failure NONE = new Failure(null, null, null, 0, "");
    }

    Allocator(Session session) {
        this.session = session;
        this.placer = session.placer();
        this.domains = session.domains();
    }

    Failure failure() {
        return failure;
    }

    /** The pods that a job gets next, by set. */
    static Map<PodSet, List<Task>> next(Job job, Pods which) {
        boolean satisfied = job.isSatisfied();
        Map<PodSet, List<Task>> next = new LinkedHashMap<>();
        List<PodSet> sets = job.podSets();
        if (satisfied && sets.size() > 1) {
            sets = new ArrayList<>(sets);
            sets.sort(SubGroupOrder.OF_SETS);
        }
        for (PodSet set : sets) {
            if (!satisfied && set.isSatisfied()) {
                continue;
            }
            int count = satisfied ? 1 : set.minAvailable() - set.allocated();
            List<Task> tasks = first(set, which, count);
            if (tasks.size() < count && !satisfied) {
                return Map.of();
            }
            if (!tasks.isEmpty()) {
                next.put(set, tasks);
                if (satisfied) {
                    break;
                }
            }
        }
        return next;
    }

    private static List<Task> first(PodSet set, Pods which, int count) {
        List<Task> tasks = new ArrayList<>(Math.min(count, 64));
        for (Task task : set.tasks()) {
            if (tasks.size() == count) {
                break;
            }
            boolean wants = switch (which) {
                case PENDING -> task.status() == TaskStatus.PENDING;
                case EVICTED -> task.isEvicted() && task.status() == TaskStatus.RELEASING;
            };
            if (wants) {
                tasks.add(task);
            }
        }
        return tasks;
    }

    /** What a job gets next would use of its queue at the least. */
    ResourceVector nextUse(Job job) {
        ResourceVector sum = new ResourceVector();
        next(job, Pods.PENDING).values().forEach(tasks -> sum.add(session.leastUse(tasks)));
        return sum;
    }

    /** Places what the job gets next; answers whether all of it was placed. When it was not, nothing has changed. */
    boolean allocate(Statement statement, Job job, Pods which) {
        failure = Failure.NONE;
        wanted = next(job, which);
        if (wanted.isEmpty()) {
            return false;
        }
        Queue leaf = session.leaf(job);
        if (leaf == null) {
            return false;
        }
        ResourceVector use = new ResourceVector();
        wanted.values().forEach(tasks -> use.add(session.leastUse(tasks)));
        Optional<Denial> denial = Capacity.check(leaf, use, job.preemptible());
        if (denial.isPresent()) {
            failure = new Failure(denial.get(), null, null, 0, "");
            return false;
        }
        int checkpoint = statement.checkpoint();
        if (!allocate(statement, job.root(), null, null)) {
            statement.rollback(checkpoint);
            return false;
        }
        if (mustWait(job)) {
            for (PodSet set : job.podSets()) {
                for (Task task : set.tasks()) {
                    if (task.status() == TaskStatus.ALLOCATED) {
                        statement.postpone(task);
                    }
                }
            }
        }
        return true;
    }

    /** Whether some pods of the job wait for others to leave, so that the rest would run with too few. */
    private static boolean mustWait(Job job) {
        for (PodSet set : job.podSets()) {
            if (set.promised() > 0 && set.allocated() - set.promised() < set.minAvailable()) {
                return true;
            }
        }
        return false;
    }

    private boolean allocate(
            Statement statement, SubGroup group, @Nullable BitSet within, @Nullable Nearness nearness) {
        TopologyConstraint constraint = group.topology();
        if (constraint == null) {
            return allocateParts(statement, group, within, nearness);
        }
        List<Task> tasks = new ArrayList<>();
        List<Task> all = new ArrayList<>();
        gather(group, tasks, all);
        if (tasks.isEmpty()) {
            return true;
        }
        for (DomainSearch.Attempt attempt : attempts(constraint, tasks, all, within)) {
            int checkpoint = statement.checkpoint();
            if (allocateParts(statement, group, attempt.slots(), attempt.nearness())) {
                return true;
            }
            statement.rollback(checkpoint);
        }
        return false;
    }

    private boolean allocateParts(
            Statement statement, SubGroup group, @Nullable BitSet within, @Nullable Nearness nearness) {
        for (SubGroup child : group.groups()) {
            if (!allocate(statement, child, within, nearness)) {
                return false;
            }
        }
        List<PodSet> sets = group.podSets();
        if (sets.size() > 1) {
            sets = new ArrayList<>(sets);
            sets.sort(SubGroupOrder.OF_SETS);
        }
        for (PodSet set : sets) {
            if (!allocate(statement, set, within, nearness)) {
                return false;
            }
        }
        return true;
    }

    private boolean allocate(Statement statement, PodSet set, @Nullable BitSet within, @Nullable Nearness nearness) {
        List<Task> tasks = wanted.getOrDefault(set, List.of());
        TopologyConstraint constraint = set.topology();
        if (constraint == null || tasks.isEmpty()) {
            return allocate(statement, tasks, within, nearness);
        }
        for (DomainSearch.Attempt attempt : attempts(constraint, tasks, set.tasks(), within)) {
            int checkpoint = statement.checkpoint();
            if (allocate(statement, tasks, attempt.slots(), attempt.nearness())) {
                return true;
            }
            statement.rollback(checkpoint);
        }
        return false;
    }

    private boolean allocate(
            Statement statement, List<Task> tasks, @Nullable BitSet within, @Nullable Nearness nearness) {
        int placed = 0;
        for (Task task : tasks) {
            if (!allocate(statement, task, within, nearness)) {
                failure = new Failure(failure.denial, task, within, placed, failure.problem);
                return false;
            }
            placed++;
        }
        return true;
    }

    private boolean allocate(Statement statement, Task task, @Nullable BitSet within, @Nullable Nearness nearness) {
        Task.State evicted = task.state().evicted();
        Place left = evicted == null ? null : evicted.place();
        if (left != null) {
            int slot = session.snapshot().slot(left.node());
            if (slot >= 0
                    && (within == null || within.get(slot))
                    && placer.hasRoomAgain(task.pod(), left.node(), left.gpuGroups())) {
                statement.keep(task);
                return true;
            }
        }
        Spot spot = placer.best(task.pod(), within, task.nominatedNode(), nearness);
        if (spot == null) {
            return false;
        }
        if (task.pod().podClass().shape().gpuShare().memoryMebibytes() > 0) {
            // what a part in MiB counts is known only now that the node is
            ResourceVector use = new ResourceVector();
            session.use(task, new Place(spot.node(), spot.gpuGroups()), use);
            Queue leaf = session.leaf(task.job());
            Optional<Denial> denial = leaf == null
                    ? Optional.empty()
                    : Capacity.check(leaf, use, task.job().preemptible());
            if (denial.isPresent()) {
                failure = new Failure(denial.get(), null, null, 0, "");
                return false;
            }
        }
        statement.place(task, spot);
        return true;
    }

    private List<DomainSearch.Attempt> attempts(
            TopologyConstraint constraint, List<Task> tasks, Iterable<Task> all, @Nullable BitSet within) {
        DomainTree tree = session.domainTree(constraint.topology());
        if (tree == null) {
            failure = new Failure(
                    null,
                    null,
                    null,
                    0,
                    "topology " + constraint.topology()
                            + " does not exist; create it, or correct the job's topology annotation");
            return List.of();
        }
        DomainSearch.Result result = domains.find(tree, constraint, tasks, within, domains.held(all));
        if (result.attempts().isEmpty()) {
            failure = new Failure(null, null, null, 0, result.problem());
        }
        return result.attempts();
    }

    /** Collects the pods of a group that places are wanted for, and all its pods. */
    private void gather(SubGroup group, List<Task> tasks, List<Task> all) {
        group.groups().forEach(child -> gather(child, tasks, all));
        for (PodSet set : group.podSets()) {
            tasks.addAll(wanted.getOrDefault(set, List.of()));
            all.addAll(set.tasks());
        }
    }
}
