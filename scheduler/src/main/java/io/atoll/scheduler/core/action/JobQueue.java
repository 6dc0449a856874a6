package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.queue.Queue;
import io.atoll.scheduler.core.queue.QueueOrder;
import io.atoll.scheduler.core.queue.ResourceVector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in the order of service: from the root down, the queue that is next, then its job that is next.
 *
 * <p>What a job is given may change the order of the queues it is in, and of no others: so these are taken out while it
 * is served, and put back at the next call. On the scheduler's thread.
 */
final class JobQueue {
    private static final ResourceVector NOTHING = new ResourceVector();

    private final Allocator allocator;
    private final ResourceVector total;
    private final int depth;
    private final Branch root = new Branch(null, null);
    private final Map<Queue, Branch> branches = new HashMap<>();
    private final Deque<Branch> taken = new ArrayDeque<>();

    /** A queue with the jobs in and below it. */
    private final class Branch {
        private final @Nullable Queue queue;
        private final @Nullable Branch parent;
        private final PriorityQueue<Job> jobs = new PriorityQueue<>(Job.ORDER);
        private final PriorityQueue<Branch> children = new PriorityQueue<>(JobQueue.this::compare);
        private final List<Branch> parts = new ArrayList<>();
        private @Nullable Job best;
        private ResourceVector bestUse = NOTHING;
        private int served;

        Branch(@Nullable Queue queue, @Nullable Branch parent) {
            this.queue = queue;
            this.parent = parent;
        }

        void refresh() {
            Job job = jobs.peek();
            Branch child = children.peek();
            if (job != null) {
                best = job;
                bestUse = allocator.nextUse(job);
            } else if (child != null) {
                best = child.best;
                bestUse = child.bestUse;
            } else {
                best = null;
                bestUse = NOTHING;
            }
        }
    }

    JobQueue(Session session, Allocator allocator, Collection<Job> jobs) {
        this.allocator = allocator;
        this.total = session.total();
        this.depth = session.options().queueDepth();
        for (Job job : jobs) {
            Queue leaf = session.leaf(job);
            if (leaf != null) {
                branch(leaf).jobs.add(job);
            }
        }
        reorder(root);
    }

    private int compare(Branch left, Branch right) {
        Queue leftQueue = left.queue;
        Queue rightQueue = right.queue;
        if (leftQueue == null || rightQueue == null) {
            throw new AssertionError("the root has no order");
        }
        return QueueOrder.compare(leftQueue, left.bestUse, rightQueue, right.bestUse, null, null, total);
    }

    private Branch branch(Queue queue) {
        Branch known = branches.get(queue);
        if (known == null) {
            Queue parent = queue.parent();
            known = new Branch(queue, parent == null ? root : branch(parent));
            branches.put(queue, known);
            (parent == null ? root : branch(parent)).parts.add(known);
        }
        return known;
    }

    /** The job to serve next; null when there is none. */
    @Nullable
    Job poll() {
        settle();
        Branch branch = root;
        while (branch.jobs.isEmpty()) {
            Branch next = branch.children.poll();
            if (next == null) {
                return null;
            }
            taken.push(next);
            branch = next;
        }
        branch.served++;
        if (depth >= 0 && branch.served >= depth) {
            Job last = branch.jobs.poll();
            branch.jobs.clear();
            return last;
        }
        return branch.jobs.poll();
    }

    /** Puts the job back that was polled last: it wants more. */
    void putBack(Job job) {
        Branch leaf = taken.peekFirst();
        if (leaf == null) {
            throw new IllegalStateException("no job was polled");
        }
        leaf.jobs.add(job);
    }

    /** Puts the queues back that the last job was taken from. */
    private void settle() {
        while (!taken.isEmpty()) {
            Branch branch = taken.pop();
            branch.refresh();
            if (branch.best != null && branch.parent != null) {
                branch.parent.children.add(branch);
            }
        }
    }

    /** Looks at all queues anew, after jobs of any of them were evicted. */
    void reorder() {
        settle();
        reorder(root);
    }

    private void reorder(Branch branch) {
        branch.children.clear();
        for (Branch part : branch.parts) {
            reorder(part);
            if (part.best != null) {
                branch.children.add(part);
            }
        }
        branch.refresh();
    }
}
