package io.atoll.scheduler.core.queue;

import java.util.Arrays;
import java.util.List;

/**
 * What is due to each queue, per resource and level, from the top down: first quotas, then what is left over by priority
 * and weight, then the rests of rounding by size, age and name. The rules are those of KAI's proportion plugin, computed
 * in whole numbers so that neither order nor rounding of sums can change a result; see docs/internals/queues.md. One
 * thread a tree.
 */
public final class FairShare {
    static final long REST_ONE = 1L << 40;

    /** Sums of weights stay below, so that {@link #multiplyDivide} is exact. */
    private static final long PARTS_MAX = 1L << 50;

    private static final double USAGE_PARTS = 1L << 40;
    private static final int POSITION_BITS = 22;

    private final FairShareScratch scratch;
    private final List<Queue> siblings;
    private final int resource;
    private final double usageFactor;
    private final long unit;

    /** What is left of the amount to divide. */
    private long left;

    private FairShare(FairShareScratch scratch, List<Queue> siblings, int resource, double usageFactor) {
        this.scratch = scratch;
        this.siblings = siblings;
        this.resource = resource;
        this.usageFactor = usageFactor;
        this.unit = resource == ResourceVector.GPU ? ResourceVector.ONE_GPU : 1;
    }

    /**
     * Sets {@link Queue#fairShare} of every queue.
     *
     * @param total what the cluster has for the queues
     * @param usageFactor how strongly past usage counts against a queue (KAI's {@code kValue}); 0 or less ignores it
     */
    public static void divide(QueueTree tree, ResourceVector total, double usageFactor) {
        FairShareScratch scratch = tree.scratch;
        List<Queue> queues = tree.queues();
        fillRequestable(queues, scratch);
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            new FairShare(scratch, tree.roots(), resource, usageFactor).divide(total.get(resource));
        }
        for (int i = 0; i < queues.size(); i++) {
            Queue parent = queues.get(i);
            if (!parent.isLeaf()) {
                for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
                    new FairShare(scratch, parent.children(), resource, usageFactor)
                            .divide(parent.fairShare().get(resource));
                }
            }
        }
    }

    /** What a queue can use at most: what is asked for below it, as far as the limits on the way allow. */
    private static void fillRequestable(List<Queue> queues, FairShareScratch scratch) {
        long[] requestable = scratch.requestable;
        Arrays.fill(requestable, 0);
        for (int i = queues.size() - 1; i >= 0; i--) {
            Queue queue = queues.get(i);
            Queue parent = queue.parent();
            for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
                int at = i * ResourceVector.COUNT + resource;
                long wanted = queue.isLeaf() ? queue.request().get(resource) : requestable[at];
                long most = Math.max(
                        0, ResourceVector.smaller(wanted, queue.spec().limit().get(resource)));
                requestable[at] = most;
                if (parent != null) {
                    requestable[parent.index() * ResourceVector.COUNT + resource] += most;
                }
            }
        }
    }

    private void divide(long amount) {
        giveQuotas(Math.max(0, amount));
        if (left > 0) {
            int count = siblings.size();
            for (int from = 0; from < count; from = endOfPriority(from)) {
                giveOverQuota(from, endOfPriority(from));
            }
            for (int from = 0; from < count && left > 0; from = endOfPriority(from)) {
                giveRests(from, endOfPriority(from));
            }
        }
        for (int i = 0; i < siblings.size(); i++) {
            siblings.get(i).fairShare().set(resource, scratch.share[i]);
        }
    }

    /** Quotas count even where their sum is more than there is. */
    private void giveQuotas(long amount) {
        left = amount;
        for (int i = 0; i < siblings.size(); i++) {
            Queue queue = siblings.get(i);
            long requestable = scratch.requestable[queue.index() * ResourceVector.COUNT + resource];
            long quota = queue.spec().quota().get(resource);
            long share = Math.min(quota == ResourceVector.UNLIMITED ? amount : quota, requestable);
            scratch.share[i] = share;
            scratch.need[i] = requestable - share;
            scratch.rest[i] = 0;
            left -= share;
        }
    }

    private int endOfPriority(int from) {
        int priority = siblings.get(from).spec().priority();
        int end = from + 1;
        while (end < siblings.size() && siblings.get(end).spec().priority() == priority) {
            end++;
        }
        return end;
    }

    /** Rounds among the queues of one priority, until none asks for less than its part. */
    private void giveOverQuota(int from, int to) {
        int[] active = scratch.active;
        int count = 0;
        for (int i = from; i < to; i++) {
            if (scratch.need[i] > 0 && weight(i) > 0) {
                active[count++] = i;
            }
        }
        boolean again = count > 0;
        while (again && left > 0) {
            int before = count;
            count = round(active, count);
            again = count < before && count > 0;
        }
    }

    /** One round; keeps those in {@code active} that still want more, and answers how many they are. */
    private int round(int[] active, int count) {
        long parts = setParts(active, count);
        long amount = left;
        int kept = 0;
        for (int a = 0; a < count; a++) {
            int i = active[a];
            long part = scratch.part[i];
            long fair = multiplyDivide(amount, part, parts);
            long need = scratch.need[i];
            long given;
            if (need <= fair) {
                given = need;
                scratch.rest[i] = 0;
            } else {
                long beyond = fair % unit;
                given = fair - beyond;
                long remainder = amount * part - fair * parts;
                scratch.rest[i] = rest(beyond, (double) remainder / parts);
                active[kept++] = i;
            }
            scratch.share[i] += given;
            scratch.need[i] = need - given;
            left -= given;
        }
        return kept;
    }

    /** As a part of a unit; never 0 for something, so that no rest is forgotten. */
    private long rest(long beyond, double remainder) {
        double rest = (beyond + remainder) / unit;
        return rest > 0 ? Math.max(1, (long) (rest * REST_ONE)) : 0;
    }

    /** Sets each active queue's part in this round, by weight and past usage; answers their sum. */
    private long setParts(int[] active, int count) {
        double weights = 0;
        boolean used = false;
        for (int a = 0; a < count; a++) {
            weights += weight(active[a]);
            used |= usageFactor > 0 && siblings.get(active[a]).usage(resource) != 0;
        }
        if (used && setPartsByUsage(active, count, weights)) {
            return sumOfParts(active, count);
        }
        int shift = 0;
        while (weights / (1L << shift) >= PARTS_MAX) {
            shift++;
        }
        for (int a = 0; a < count; a++) {
            scratch.part[active[a]] = Math.max(1, weight(active[a]) >> shift);
        }
        return sumOfParts(active, count);
    }

    /** Who had more of the cluster than its weight says gets less now. False if that leaves nobody. */
    private boolean setPartsByUsage(int[] active, int count, double weights) {
        double sum = 0;
        for (int a = 0; a < count; a++) {
            sum += partByUsage(active[a], weights);
        }
        if (sum <= 0) {
            return false;
        }
        for (int a = 0; a < count; a++) {
            scratch.part[active[a]] = Math.round(partByUsage(active[a], weights) / sum * USAGE_PARTS);
        }
        return true;
    }

    private double partByUsage(int position, double weights) {
        double weight = weight(position) / weights;
        return Math.max(
                0, weight + usageFactor * (weight - siblings.get(position).usage(resource)));
    }

    private long sumOfParts(int[] active, int count) {
        long sum = 0;
        for (int a = 0; a < count; a++) {
            sum += scratch.part[active[a]];
        }
        return sum;
    }

    private long weight(int position) {
        return siblings.get(position).spec().overQuotaWeight().get(resource);
    }

    /** What rounding left over: at most one unit a queue, to the largest rests first. */
    private void giveRests(int from, int to) {
        long[] sorted = scratch.sorted;
        int count = 0;
        for (int i = from; i < to; i++) {
            if (scratch.rest[i] > 0) {
                // Siblings of equal priority are in order of age and name already.
                sorted[count++] = (REST_ONE - scratch.rest[i]) << POSITION_BITS | i;
            }
        }
        Arrays.sort(sorted, 0, count);
        for (int s = 0; s < count && left > 0; s++) {
            int i = (int) (sorted[s] & ((1L << POSITION_BITS) - 1));
            long given = Math.min(Math.min(unit, left), scratch.need[i]);
            scratch.share[i] += given;
            scratch.need[i] -= given;
            left -= given;
        }
    }

    /**
     * {@code amount * part / parts}, rounded down, for amounts below 2^58 and {@code part <= parts < 2^51}. The estimate is
     * off by little, and the product's error fits into the low 64 bits, where overflow does no harm.
     */
    static long multiplyDivide(long amount, long part, long parts) {
        long estimate = (long) ((double) amount * part / parts);
        long remainder = amount * part - estimate * parts;
        return estimate + Math.floorDiv(remainder, parts);
    }
}
