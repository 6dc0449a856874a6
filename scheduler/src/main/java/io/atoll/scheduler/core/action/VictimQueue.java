package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.Place;
import io.atoll.scheduler.core.job.PodSet;
import io.atoll.scheduler.core.job.Task;
import io.atoll.scheduler.core.queue.Queue;
import io.atoll.scheduler.core.queue.QueueOrder;
import io.atoll.scheduler.core.queue.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that could be evicted, the one that is to be evicted first in front: the order of service backwards.
 *
 * <p>Sorted once for an action. Each search walks it afresh, and looks at no more of it than it needs. On the
 * scheduler's thread.
 */
final class VictimQueue {
    private final Session session;
    private final Branch root = new Branch(null, null);
    private final Map<Queue, Branch> branches = new HashMap<>();

    private static final class Branch {
        private final @Nullable Queue queue;
        private final @Nullable Branch parent;
        private final List<Branch> parts = new ArrayList<>();
        private final List<Job> jobs = new ArrayList<>();
        private final ResourceVector removed = new ResourceVector();
        private final PriorityQueue<Victim> open = new PriorityQueue<>();
        private int next;
        private boolean closed;

        Branch(@Nullable Queue queue, @Nullable Branch parent) {
            this.queue = queue;
            this.parent = parent;
        }
    }

    /** A job in one search, with the pods of it that the search has not come to. */
    private static final class Victim implements Comparable<Victim> {
        private static final Comparator<Victim> ORDER = Comparator.<Victim>comparingInt(victim -> victim.job.priority())
                .thenComparing(victim -> !victim.canSpare())
                .thenComparing(victim -> victim.job.created(), Comparator.reverseOrder())
                .thenComparing(victim -> victim.job.key(), Comparator.reverseOrder());

        private final Job job;
        private final List<Task> spare = new ArrayList<>();
        private int spared;

        Victim(Job job) {
            this.job = job;
            for (PodSet set : job.podSets().reversed()) {
                int surplus = set.allocated() - set.minAvailable();
                List<Task> tasks = set.tasks();
                for (int i = tasks.size() - 1; i >= 0 && surplus > 0; i--) {
                    if (isThere(tasks.get(i))) {
                        spare.add(tasks.get(i));
                        surplus--;
                    }
                }
            }
        }

        boolean canSpare() {
            return spared < spare.size();
        }

        @Override
        public int compareTo(Victim other) {
            return ORDER.compare(this, other);
        }
    }

    /** @param eligible which jobs may be victims of the action at all */
    VictimQueue(Session session, Predicate<Job> eligible) {
        this.session = session;
        for (Job job : session.jobs()) {
            Queue leaf = session.leaf(job);
            if (leaf != null && job.preemptible() && hasPods(job) && eligible.test(job)) {
                branch(leaf).jobs.add(job);
            }
        }
        branches.values().forEach(branch -> branch.jobs.sort(Comparator.comparing(Victim::new)));
    }

    /** The jobs, in no order that matters. */
    List<Job> jobs() {
        List<Job> all = new ArrayList<>();
        branches.values().forEach(branch -> all.addAll(branch.jobs));
        all.sort(Comparator.comparing(Job::key));
        return all;
    }

    /** Pods of one of the jobs. */
    VictimUnit unit(Job job, List<Task> tasks, boolean spared) {
        Queue leaf = session.leaf(job);
        if (leaf == null) {
            throw new AssertionError(job + " has no queue");
        }
        return unit(job, leaf, tasks, spared);
    }

    private VictimUnit unit(Job job, Queue leaf, List<Task> tasks, boolean spared) {
        ResourceVector use = new ResourceVector();
        ResourceVector one = new ResourceVector();
        for (Task task : tasks) {
            Task.State evicted = task.state().evicted();
            Place place = evicted == null ? task.place() : evicted.place();
            session.use(task, place, one);
            use.add(one);
        }
        return new VictimUnit(job, leaf, tasks, use, spared);
    }

    private static boolean hasPods(Job job) {
        for (PodSet set : job.podSets()) {
            for (Task task : set.tasks()) {
                if (isThere(task)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a pod takes room that it could give back: one that this cycle has just placed has none yet. */
    static boolean isThere(Task task) {
        return switch (task.status()) {
            case RUNNING, BOUND, BINDING -> true;
            case ALLOCATED, PIPELINED, PENDING, GATED, RELEASING, SUCCEEDED, FAILED -> false;
        };
    }

    private Branch branch(Queue queue) {
        Branch known = branches.get(queue);
        if (known == null) {
            Queue above = queue.parent();
            Branch parent = above == null ? root : branch(above);
            known = new Branch(queue, parent);
            parent.parts.add(known);
            branches.put(queue, known);
        }
        return known;
    }

    /** One search. Starting another ends it. */
    final class Walk {
        private final Predicate<Job> filter;
        private final Predicate<Job> protectedCore;
        private @Nullable Branch last;

        /**
         * @param filter which jobs may be victims of this search
         * @param protectedCore which of them may lose no more than they can spare
         */
        Walk(Predicate<Job> filter, Predicate<Job> protectedCore) {
            this.filter = filter;
            this.protectedCore = protectedCore;
            reset(root);
        }

        private void reset(Branch branch) {
            branch.removed.clear();
            branch.open.clear();
            branch.next = 0;
            branch.closed = false;
            branch.parts.forEach(this::reset);
        }

        /** The pods to evict next; null when there are no more. */
        @Nullable
        VictimUnit next() {
            while (true) {
                Branch branch = root;
                while (branch.jobs.isEmpty()) {
                    Branch worst = null;
                    for (Branch part : branch.parts) {
                        if (!part.closed && (worst == null || isWorse(part, worst))) {
                            worst = part;
                        }
                    }
                    if (worst == null) {
                        break;
                    }
                    branch = worst;
                }
                Victim victim = branch.jobs.isEmpty() ? null : victim(branch);
                if (victim == null) {
                    if (branch == root) {
                        return null;
                    }
                    branch.closed = true;
                    continue;
                }
                VictimUnit unit = unit(branch, victim);
                if (unit != null) {
                    last = branch;
                    for (Branch up = branch; up != null; up = up.parent) {
                        up.removed.add(unit.use());
                    }
                    return unit;
                }
            }
        }

        /** Says that the pods handed out last are not to be evicted, and so none of their queue. */
        void skipQueue(VictimUnit unit) {
            Branch branch = last;
            if (branch != null) {
                branch.closed = true;
                for (Branch up = branch; up != null; up = up.parent) {
                    up.removed.subtract(unit.use());
                }
            }
        }

        /** The job of a queue that loses pods next; one that can spare more comes back after. */
        private @Nullable Victim victim(Branch branch) {
            while (branch.next < branch.jobs.size()) {
                Job job = branch.jobs.get(branch.next);
                if (filter.test(job) && hasPods(job)) {
                    Victim candidate = new Victim(job);
                    Victim waiting = branch.open.peek();
                    if (waiting == null || candidate.compareTo(waiting) < 0) {
                        branch.next++;
                        return candidate;
                    }
                    break;
                }
                branch.next++;
            }
            return branch.open.poll();
        }

        private @Nullable VictimUnit unit(Branch branch, Victim victim) {
            Queue leaf = branch.queue;
            if (leaf == null) {
                throw new AssertionError("the root has no jobs");
            }
            List<Task> tasks;
            boolean spared = victim.canSpare();
            if (spared) {
                tasks = List.of(victim.spare.get(victim.spared++));
                branch.open.add(victim);
            } else if (protectedCore.test(victim.job)) {
                return null;
            } else {
                Set<Task> gone = new HashSet<>(victim.spare);
                tasks = new ArrayList<>();
                for (PodSet set : victim.job.podSets()) {
                    for (Task task : set.tasks()) {
                        if (isThere(task) && !gone.contains(task)) {
                            tasks.add(task);
                        }
                    }
                }
                if (tasks.isEmpty()) {
                    return null;
                }
            }
            return VictimQueue.this.unit(victim.job, leaf, tasks, spared);
        }

        private boolean isWorse(Branch left, Branch right) {
            Queue leftQueue = left.queue;
            Queue rightQueue = right.queue;
            if (leftQueue == null || rightQueue == null) {
                throw new AssertionError("the root has no order");
            }
            return QueueOrder.compare(leftQueue, null, rightQueue, null, left.removed, right.removed, session.total())
                    > 0;
        }
    }
}
