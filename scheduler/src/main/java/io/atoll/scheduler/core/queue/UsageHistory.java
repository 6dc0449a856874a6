package io.atoll.scheduler.core.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What each queue held of late as a part of what the cluster had, old use counting less. Kept by queue name, so that a
 * queue does not get rid of its past by being deleted and made anew. Values are sums of allocation times time in slices
 * of the window; each decays by the half-life. One thread; times are given in, in milliseconds since the epoch.
 */
public final class UsageHistory {
    private static final int RESOURCES = ResourceVector.COUNT;
    private static final double LN_2 = Math.log(2);

    private final UsageWindow window;
    private final long halfLifeMillis;
    private final long gapMaxMillis;

    private final long[] sliceStart;
    private final long[] reference;
    private final double[] capacity;
    private final Map<String, double[]> byQueue = new HashMap<>();
    private long recordedMillis;

    /**
     * @param halfLifeMillis after which time use counts half; 0 for no decay
     * @param gapMaxMillis what lies longer between two recordings was not watched, and counts for nobody
     */
    public UsageHistory(UsageWindow window, long halfLifeMillis, long gapMaxMillis, UsageState state) {
        if (halfLifeMillis < 0 || gapMaxMillis < 1) {
            throw new IllegalArgumentException("half-life " + halfLifeMillis + " ms, gap " + gapMaxMillis + " ms");
        }
        this.window = window;
        this.halfLifeMillis = halfLifeMillis;
        this.gapMaxMillis = gapMaxMillis;
        this.sliceStart = new long[window.slices()];
        this.reference = new long[window.slices()];
        this.capacity = new double[window.slices() * RESOURCES];
        this.recordedMillis = state.recordedMillis();
        Arrays.fill(sliceStart, Long.MIN_VALUE);
        state.slices().stream()
                .sorted(Comparator.comparingLong(UsageState.Slice::referenceMillis))
                .forEach(this::restore);
    }

    /** The queues held what they hold now since the last recording. */
    public void record(long nowMillis, QueueTree tree, ResourceVector total) {
        long last = recordedMillis;
        recordedMillis = nowMillis;
        if (last == UsageState.EMPTY.recordedMillis() || nowMillis <= last) {
            return;
        }
        long from = Math.max(last, nowMillis - gapMaxMillis);
        if (window instanceof UsageWindow.Sliding sliding) {
            from = Math.max(from, nowMillis - sliding.sizeMillis());
            while (from < nowMillis) {
                long to = Math.min(nowMillis, window.sliceStart(from) + sliding.sliceMillis());
                record(from, to, tree, total);
                from = to;
            }
        } else {
            record(Math.max(from, window.sliceStart(nowMillis)), nowMillis, tree, total);
        }
    }

    /** Sets {@link Queue#usage} of every queue, those above with the sums of those below. */
    public void apply(long nowMillis, QueueTree tree) {
        double[] weights = new double[sliceStart.length];
        for (int slot = 0; slot < weights.length; slot++) {
            if (sliceStart[slot] != Long.MIN_VALUE) {
                weights[slot] =
                        window.weight(sliceStart[slot], nowMillis) * decay(Math.max(0, nowMillis - reference[slot]));
            }
        }
        List<Queue> queues = tree.queues();
        for (int resource = 0; resource < RESOURCES; resource++) {
            double total = weighted(capacity, resource, weights);
            for (int i = queues.size() - 1; i >= 0; i--) {
                Queue queue = queues.get(i);
                double[] own = byQueue.get(queue.name());
                double usage = own == null || total <= 0 ? 0 : weighted(own, resource, weights) / total;
                for (Queue child : queue.children()) {
                    usage += child.usage(resource);
                }
                queue.setUsage(resource, usage);
            }
        }
    }

    /** All that is remembered; a history made from it goes on as this one would. */
    public UsageState state() {
        List<UsageState.Slice> slices = new ArrayList<>();
        for (int slot = 0; slot < sliceStart.length; slot++) {
            if (sliceStart[slot] == Long.MIN_VALUE) {
                continue;
            }
            TreeMap<String, UsageState.Amount> queues = new TreeMap<>();
            for (Map.Entry<String, double[]> entry : byQueue.entrySet()) {
                if (!isZero(entry.getValue(), slot)) {
                    queues.put(entry.getKey(), amount(entry.getValue(), slot));
                }
            }
            slices.add(new UsageState.Slice(sliceStart[slot], reference[slot], amount(capacity, slot), queues));
        }
        slices.sort(Comparator.comparingLong(UsageState.Slice::startMillis));
        return new UsageState(recordedMillis, List.copyOf(slices));
    }

    private void record(long from, long to, QueueTree tree, ResourceVector total) {
        int slot = openSlice(window.sliceStart(from), from);
        decayTo(slot, to);
        double time = decayedTime(to - from);
        int at = slot * RESOURCES;
        for (Queue queue : tree.queues()) {
            double[] sums = null;
            for (int resource = 0; resource < RESOURCES; resource++) {
                // Jobs of a queue that got children later still run in it.
                long own = queue.allocated().get(resource);
                for (Queue child : queue.children()) {
                    own -= child.allocated().get(resource);
                }
                if (own > 0) {
                    sums = sums != null ? sums : sums(queue.name());
                    sums[at + resource] += own * time;
                }
            }
        }
        for (int resource = 0; resource < RESOURCES; resource++) {
            capacity[at + resource] += total.get(resource) * time;
        }
    }

    /** The slice's slot, emptied if it held an older slice. */
    private int openSlice(long start, long from) {
        int slot = window.slot(start);
        if (sliceStart[slot] != start) {
            int at = slot * RESOURCES;
            byQueue.values().forEach(sums -> Arrays.fill(sums, at, at + RESOURCES, 0));
            byQueue.values().removeIf(UsageHistory::isZero);
            Arrays.fill(capacity, at, at + RESOURCES, 0);
            sliceStart[slot] = start;
            reference[slot] = from;
        }
        return slot;
    }

    private void decayTo(int slot, long to) {
        double factor = decay(Math.max(0, to - reference[slot]));
        reference[slot] = Math.max(to, reference[slot]);
        if (factor == 1) {
            return;
        }
        for (int at = slot * RESOURCES; at < (slot + 1) * RESOURCES; at++) {
            capacity[at] *= factor;
        }
        for (double[] sums : byQueue.values()) {
            for (int at = slot * RESOURCES; at < (slot + 1) * RESOURCES; at++) {
                sums[at] *= factor;
            }
        }
    }

    private double decay(long ageMillis) {
        return halfLifeMillis == 0 ? 1 : Math.exp(-LN_2 * ageMillis / halfLifeMillis);
    }

    /** How long the time just past counts: the integral of its decay. */
    private double decayedTime(long millis) {
        return halfLifeMillis == 0 ? millis : (1 - decay(millis)) * halfLifeMillis / LN_2;
    }

    private double[] sums(String queue) {
        return byQueue.computeIfAbsent(queue, _ -> new double[sliceStart.length * RESOURCES]);
    }

    private void restore(UsageState.Slice slice) {
        int slot = openSlice(window.sliceStart(slice.referenceMillis() - 1), slice.referenceMillis());
        decayTo(slot, slice.referenceMillis());
        add(capacity, slot, slice.capacity());
        slice.queues().forEach((name, amount) -> add(sums(name), slot, amount));
    }

    private static void add(double[] sums, int slot, UsageState.Amount amount) {
        int at = slot * RESOURCES;
        sums[at + ResourceVector.GPU] += amount.gpu();
        sums[at + ResourceVector.CPU] += amount.cpu();
        sums[at + ResourceVector.MEMORY] += amount.memory();
    }

    private static UsageState.Amount amount(double[] sums, int slot) {
        int at = slot * RESOURCES;
        return new UsageState.Amount(
                sums[at + ResourceVector.GPU], sums[at + ResourceVector.CPU], sums[at + ResourceVector.MEMORY]);
    }

    private static double weighted(double[] sums, int resource, double[] weights) {
        double sum = 0;
        for (int slot = 0; slot < weights.length; slot++) {
            sum += sums[slot * RESOURCES + resource] * weights[slot];
        }
        return sum;
    }

    private static boolean isZero(double[] sums, int slot) {
        int at = slot * RESOURCES;
        return sums[at] == 0 && sums[at + 1] == 0 && sums[at + 2] == 0;
    }

    private static boolean isZero(double[] sums) {
        for (double sum : sums) {
            if (sum != 0) {
                return false;
            }
        }
        return true;
    }
}
