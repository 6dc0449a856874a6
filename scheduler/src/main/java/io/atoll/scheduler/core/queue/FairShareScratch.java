package io.atoll.scheduler.core.queue;

/** Working memory of {@link FairShare}, kept with the tree so that dividing again allocates nothing. One thread. */
final class FairShareScratch {
    /** By queue and resource: what could be used at most, limits of the queues below included. */
    final long[] requestable;
    /** By position among siblings: what was given so far, and what could be used beyond that. */
    final long[] share;

    final long[] need;
    /** By position: the numerator of the queue's part in this round. */
    final long[] part;
    /** By position: the fractional rest of the last round in {@link FairShare#REST_ONE}; 0 if nothing is due. */
    final long[] rest;

    final int[] active;
    final long[] sorted;

    FairShareScratch(int queues) {
        requestable = new long[queues * ResourceVector.COUNT];
        share = new long[queues];
        need = new long[queues];
        part = new long[queues];
        rest = new long[queues];
        active = new int[queues];
        sorted = new long[queues];
    }
}
