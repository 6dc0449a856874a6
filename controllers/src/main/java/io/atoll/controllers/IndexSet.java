package io.atoll.controllers;

import java.util.BitSet;

/** Indexes of an Indexed Job, written as {@code 0,3-5}. Not thread-safe. */
final class IndexSet {
    private final BitSet bits = new BitSet();

    /** Reads the text form, leaving out what lies at or above the bound. */
    static IndexSet parse(String text, int bound) {
        IndexSet set = new IndexSet();
        for (String part : text.split(",", -1)) {
            if (part.isEmpty()) {
                continue;
            }
            int dash = part.indexOf('-');
            int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
            for (int index = from; index <= to && index < bound; index++) {
                set.bits.set(index);
            }
        }
        return set;
    }

    void add(int index) {
        bits.set(index);
    }

    boolean contains(int index) {
        return bits.get(index);
    }

    int size() {
        return bits.cardinality();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int from = bits.nextSetBit(0); from >= 0; from = bits.nextSetBit(bits.nextClearBit(from))) {
            int to = bits.nextClearBit(from) - 1;
            text.append(text.isEmpty() ? "" : ",").append(from);
            if (to > from) {
                text.append(to == from + 1 ? "," : "-").append(to);
            }
        }
        return text.toString();
    }
}
