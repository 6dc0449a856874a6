package io.atoll.scheduler.core.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link QueueTree} with what is used, asked for and due at this moment. Changes at a leaf are carried to all
 * queues above it, so that every sum is right at any time. The vectors that the accessors return are the live ones: read
 * them, and change them only through the methods here. One thread, the scheduling cycle's.
 */
public final class Queue {
    private final QueueSpec spec;
    private final @Nullable Queue parent;
    private final int index;
    private final int depth;
    private List<Queue> children = List.of();

    private final ResourceVector allocated = new ResourceVector();
    private final ResourceVector allocatedNonPreemptible = new ResourceVector();
    private final ResourceVector request = new ResourceVector();
    private final ResourceVector fairShare = new ResourceVector();
    private final double[] usage = new double[ResourceVector.COUNT];

    Queue(QueueSpec spec, @Nullable Queue parent, int index) {
        this.spec = spec;
        this.parent = parent;
        this.index = index;
        this.depth = parent == null ? 0 : parent.depth + 1;
    }

    void setChildren(List<Queue> ordered) {
        children = List.copyOf(ordered);
    }

    /** What was declared, with negative values already read as zero. */
    public QueueSpec spec() {
        return spec;
    }

    public String name() {
        return spec.name();
    }

    public @Nullable Queue parent() {
        return parent;
    }

    /** Ordered by priority (highest first), age, name. */
    public List<Queue> children() {
        return children;
    }

    /** Whether jobs may run here: only in queues without children. */
    public boolean isLeaf() {
        return children.isEmpty();
    }

    /** Position in {@link QueueTree#queues}; parents come before their children. */
    public int index() {
        return index;
    }

    /** How many queues are above. */
    public int depth() {
        return depth;
    }

    /** What running jobs of the queue and those below hold. */
    public ResourceVector allocated() {
        return allocated;
    }

    /** The part of {@link #allocated} held by non-preemptible jobs. */
    public ResourceVector allocatedNonPreemptible() {
        return allocatedNonPreemptible;
    }

    /** What running and pending jobs of the queue and those below want. */
    public ResourceVector request() {
        return request;
    }

    /** What is due by the last {@link FairShare#divide}. */
    public ResourceVector fairShare() {
        return fairShare;
    }

    /** The part of the cluster, 0 to 1, that the queue had of late; 0 without a {@link UsageHistory}. */
    public double usage(int resource) {
        return usage[resource];
    }

    public void setUsage(int resource, double fraction) {
        usage[resource] = fraction;
    }

    /** A job of this queue holds that much more. */
    public void allocate(ResourceVector amount, boolean preemptible) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.allocated.add(amount);
            if (!preemptible) {
                queue.allocatedNonPreemptible.add(amount);
            }
        }
    }

    /** A job of this queue holds that much less. */
    public void release(ResourceVector amount, boolean preemptible) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.allocated.subtract(amount);
            if (!preemptible) {
                queue.allocatedNonPreemptible.subtract(amount);
            }
        }
    }

    /** A job of this queue wants that much more, whether it holds it or waits for it. */
    public void request(ResourceVector amount) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.request.add(amount);
        }
    }

    /** A job of this queue wants that much less. */
    public void unrequest(ResourceVector amount) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.request.subtract(amount);
        }
    }

    /** What the queue may come to hold of a resource: its limit, or less if neither quota nor share reach it. */
    public long allocatableShare(int resource) {
        long quota = spec.quota().get(resource);
        long limit = spec.limit().get(resource);
        if (quota == ResourceVector.UNLIMITED) {
            return limit;
        }
        return ResourceVector.smaller(limit, ResourceVector.larger(quota, fairShare.get(resource)));
    }

    /** {@link #allocatableShare(int)} of every resource, in a new vector. */
    public ResourceVector allocatableShare() {
        return new ResourceVector(
                allocatableShare(ResourceVector.GPU),
                allocatableShare(ResourceVector.CPU),
                allocatableShare(ResourceVector.MEMORY));
    }

    /** This queue or the one above it that has the given depth. */
    Queue ancestorAt(int wantedDepth) {
        Queue queue = this;
        while (queue.depth > wantedDepth && queue.parent != null) {
            queue = queue.parent;
        }
        return queue;
    }

    /**
     * The queue on this one's side just below the lowest queue that both share; the top-level queue if they share none.
     * Null if the other queue is this one or below it, or above it.
     */
    public @Nullable Queue branchApartFrom(Queue other) {
        int common = Math.min(depth, other.depth);
        Queue mine = ancestorAt(common);
        Queue others = other.ancestorAt(common);
        if (mine == others) {
            return null;
        }
        while (mine.parent != others.parent && mine.parent != null && others.parent != null) {
            mine = mine.parent;
            others = others.parent;
        }
        return mine;
    }

    @Override
    public String toString() {
        return name();
    }
}
