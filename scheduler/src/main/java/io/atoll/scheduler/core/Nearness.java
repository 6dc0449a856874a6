package io.atoll.scheduler.core;

import java.util.BitSet;

/** How near each node is to where a pod should be, by slot. Filled once, then read; not synchronised. */
public final class Nearness {
    private final int[] bySlot;

    /** @param slots how many slots there are */
    public Nearness(int slots) {
        bySlot = new int[slots];
    }

    /** Says how near some nodes are; more is nearer, and 0 is what all others are. */
    public void set(BitSet slots, int near) {
        slots.stream().forEach(slot -> bySlot[slot] = near);
    }

    int at(int slot) {
        return slot < bySlot.length ? bySlot[slot] : 0;
    }
}
