package io.atoll.scheduler.core;

import java.util.function.IntConsumer;

/** Which slots of the snapshot have changed, in order, for as far back as a bounded log goes. */
final class NodeChanges {
    private static final int CHANGES_MAX = 1 << 16;

    private final int[] log = new int[CHANGES_MAX];
    private long count;

    void add(int slot) {
        log[(int) (count++ % CHANGES_MAX)] = slot;
    }

    /** The number of changes so far: where a reader that is up to date stands. */
    long count() {
        return count;
    }

    /** Hands over the changes since a count; answers false when they are too far back, and hands over none. */
    boolean since(long position, IntConsumer slots) {
        if (count - position > CHANGES_MAX) {
            return false;
        }
        for (long i = position; i < count; i++) {
            slots.accept(log[(int) (i % CHANGES_MAX)]);
        }
        return true;
    }
}
