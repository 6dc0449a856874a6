package io.atoll.scheduler.core.queue;

import java.util.Arrays;

/**
 * What if a job took these victims from other queues? Holds, per queue, what would remain of its allocation. A queue's
 * allocation is read when the scenario first looks at it and kept until {@link #begin}: a statement that carries the
 * victims out afterwards does not count them twice, if it touches no queue before the scenario has. Taking and undoing
 * cost the depth of the tree; nothing is copied. One thread; reused from job to job.
 */
public final class ReclaimScenario {
    private static final int INITIAL_BLOCKS = 64;

    private final QueueTree tree;
    private final double saturationMultiplier;

    private final long[] remaining;
    /** In which scenario a queue's {@link #remaining} was filled. */
    private final int[] readIn;
    /** How many blocks were taken on the far side of a queue beside the reclaimer's way up. */
    private final int[] touches;

    private final int[] touched;
    private final int[] touchedAt;
    private int touchedCount;
    private int scenario;

    private Queue reclaimer;
    private boolean preemptible;
    private final ResourceVector request = new ResourceVector();
    private final ResourceVector taken = new ResourceVector();

    private Queue[] victims;
    private long[] blocks = new long[INITIAL_BLOCKS * ResourceVector.COUNT];
    private boolean[] refused = new boolean[INITIAL_BLOCKS];
    private int count;
    private int refusals;

    /**
     * @param saturationMultiplier how much fuller a queue must be than the reclaimer's to be taken from; 1 or more (KAI's
     *     {@code relcaimerSaturationMultiplier})
     */
    public ReclaimScenario(QueueTree tree, double saturationMultiplier) {
        if (!(saturationMultiplier >= 1)) {
            throw new IllegalArgumentException("saturation multiplier " + saturationMultiplier + " is below 1");
        }
        if (tree.queues().isEmpty()) {
            throw new IllegalArgumentException("a tree without queues");
        }
        int queues = tree.queues().size();
        this.tree = tree;
        this.saturationMultiplier = saturationMultiplier;
        this.remaining = new long[queues * ResourceVector.COUNT];
        this.readIn = new int[queues];
        this.touches = new int[queues];
        this.touched = new int[queues];
        this.touchedAt = new int[queues];
        this.reclaimer = tree.queues().get(0);
        this.victims = new Queue[INITIAL_BLOCKS];
    }

    /** Starts over for a job, without victims, on the queues as they are now. */
    public void begin(Queue leaf, ResourceVector requested, boolean jobIsPreemptible) {
        undoTo(0);
        scenario++;
        reclaimer = leaf;
        preemptible = jobIsPreemptible;
        request.set(requested);
        for (Queue queue = leaf; queue != null; queue = queue.parent()) {
            read(queue);
        }
    }

    /**
     * Whether a block may be taken from the queue as things stand in the scenario: either the queue holds more than it may
     * come to hold, or it holds more than its quota and the reclaimer stays within its own. The excess has to be in a
     * resource that the job asks for and the block frees. Judged just below the lowest queue above both.
     */
    public boolean allows(Queue victim, ResourceVector block) {
        Queue theirs = branch(victim);
        read(theirs);
        boolean overQuota = false;
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            if (request.get(resource) == 0 || block.get(resource) == 0) {
                continue;
            }
            long held = remaining[theirs.index() * ResourceVector.COUNT + resource];
            if (!ResourceVector.lessOrEqual(held, theirs.allocatableShare(resource))) {
                return true;
            }
            overQuota |= !ResourceVector.lessOrEqual(held, theirs.spec().quota().get(resource));
        }
        return overQuota && staysWithinQuota(reclaimer.ancestorAt(theirs.depth()));
    }

    /** Takes a block of running pods from a queue; answers whether {@link #allows} allowed it. */
    public boolean take(Queue victim, ResourceVector block) {
        boolean allowed = allows(victim, block);
        push(victim, block, !allowed);
        for (Queue queue = victim; queue != null; queue = queue.parent()) {
            read(queue);
            subtract(queue, block);
        }
        touch(branch(victim));
        taken.add(block);
        return allowed;
    }

    /** How many blocks are taken; for {@link #undoTo}. */
    public int mark() {
        return count;
    }

    /** Gives back the last block. */
    public void undo() {
        if (count == 0) {
            throw new IllegalStateException("nothing was taken");
        }
        count--;
        Queue victim = victims[count];
        for (Queue queue = victim; queue != null; queue = queue.parent()) {
            giveBack(queue);
        }
        untouch(branch(victim));
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            taken.set(resource, taken.get(resource) - blocks[count * ResourceVector.COUNT + resource]);
        }
        refusals -= refused[count] ? 1 : 0;
    }

    /** Gives back blocks until as many are taken as when the mark was made. */
    public void undoTo(int mark) {
        while (count > mark) {
            undo();
        }
    }

    /** Whether every block was allowed, and the outcome is fair at every level. */
    public boolean holds() {
        return refusals == 0 && quotaHolds() && saturationHolds();
    }

    /** Whether a non-preemptible job stays within the quota at every level. */
    public boolean quotaHolds() {
        for (Queue queue = reclaimer; queue != null && !preemptible; queue = queue.parent()) {
            if (!ReclaimRules.withinQuota(queue, request)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether no queue on the reclaimer's way up ends above its fair share and at least as full as a sibling that was taken
     * from.
     */
    public boolean saturationHolds() {
        for (int i = 0; i < touchedCount; i++) {
            Queue sibling = tree.queues().get(touched[i]);
            if (!saturationHolds(reclaimer.ancestorAt(sibling.depth()), sibling)) {
                return false;
            }
        }
        return true;
    }

    /** What would remain allocated, in the unit of the resource. */
    public long remaining(Queue queue, int resource) {
        read(queue);
        return remaining[queue.index() * ResourceVector.COUNT + resource];
    }

    private boolean saturationHolds(Queue ours, Queue sibling) {
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            long requested = request.get(resource);
            if (requested == 0 && taken.get(resource) == 0) {
                continue;
            }
            long share = ours.fairShare().get(resource);
            long siblingShare = sibling.fairShare().get(resource);
            double ratio = saturation(remaining(ours, resource) + requested, share);
            double siblingRatio = saturation(remaining(sibling, resource), siblingShare);
            // From a queue that is due nothing all may be taken, but not by one that is due nothing either: the two
            // would
            // take from each other for ever.
            boolean comparable = siblingShare > 0 || share == 0;
            if (ratio > 1 && comparable && ratio * saturationMultiplier >= siblingRatio) {
                return false;
            }
        }
        return true;
    }

    private static double saturation(long held, long share) {
        return held == 0 ? 0 : (double) held / share;
    }

    private boolean staysWithinQuota(Queue ours) {
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            long requested = request.get(resource);
            if (requested > 0
                    && !ResourceVector.lessOrEqual(
                            remaining(ours, resource) + requested,
                            ours.spec().quota().get(resource))) {
                return false;
            }
        }
        return true;
    }

    private Queue branch(Queue victim) {
        Queue branch = victim.branchApartFrom(reclaimer);
        if (branch == null) {
            throw new IllegalArgumentException("queue " + reclaimer + " cannot reclaim from " + victim);
        }
        return branch;
    }

    private void read(Queue queue) {
        int index = queue.index();
        if (readIn[index] != scenario) {
            readIn[index] = scenario;
            int at = index * ResourceVector.COUNT;
            for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
                remaining[at + resource] = queue.allocated().get(resource);
            }
        }
    }

    private void subtract(Queue queue, ResourceVector block) {
        int at = queue.index() * ResourceVector.COUNT;
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            remaining[at + resource] -= block.get(resource);
        }
    }

    /** Adds the block just past the end of the stack. */
    private void giveBack(Queue queue) {
        int at = queue.index() * ResourceVector.COUNT;
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            remaining[at + resource] += blocks[count * ResourceVector.COUNT + resource];
        }
    }

    private void push(Queue victim, ResourceVector block, boolean wasRefused) {
        if (count == victims.length) {
            victims = Arrays.copyOf(victims, count * 2);
            blocks = Arrays.copyOf(blocks, count * 2 * ResourceVector.COUNT);
            refused = Arrays.copyOf(refused, count * 2);
        }
        victims[count] = victim;
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            blocks[count * ResourceVector.COUNT + resource] = block.get(resource);
        }
        refused[count] = wasRefused;
        refusals += wasRefused ? 1 : 0;
        count++;
    }

    private void touch(Queue branch) {
        int index = branch.index();
        if (touches[index]++ == 0) {
            touchedAt[index] = touchedCount;
            touched[touchedCount++] = index;
        }
    }

    private void untouch(Queue branch) {
        int index = branch.index();
        if (--touches[index] == 0) {
            int last = touched[--touchedCount];
            touched[touchedAt[index]] = last;
            touchedAt[last] = touchedAt[index];
        }
    }
}
