package io.atoll.scheduler.core;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that can take a pod of one class, best first, kept up to date from the snapshot's changes.
 *
 * <p>Placing one more pod of the class costs the logarithm of the nodes, whatever their number. Only for classes
 * without rules about other pods. Belongs to one snapshot and one seed; on the snapshot's thread.
 */
final class ClassIndex {
    private final ClusterSnapshot snapshot;
    private final Function<ClusterSnapshot.Node, @Nullable Candidate> rate;
    private final NavigableSet<Candidate> candidates = new TreeSet<>(Candidate.ORDER);
    private final List<@Nullable Candidate> bySlot = new ArrayList<>();
    private long position = -1;

    /**
     * @param rate how good a node is for a pod of the class, by what the node and its pods are; null when the node
     *     cannot take it
     */
    ClassIndex(ClusterSnapshot snapshot, Function<ClusterSnapshot.Node, @Nullable Candidate> rate) {
        this.snapshot = snapshot;
        this.rate = rate;
    }

    /** The best node now; empty when no node can take the pod. */
    Optional<ClusterSnapshot.Node> best() {
        catchUp();
        return candidates.isEmpty()
                ? Optional.empty()
                : Optional.of(candidates.first().node());
    }

    /** The best of some nodes now; null when none of them can take the pod. */
    @Nullable
    Candidate bestOf(BitSet slots) {
        catchUp();
        Candidate best = null;
        for (int slot = slots.nextSetBit(0); slot >= 0; slot = slots.nextSetBit(slot + 1)) {
            Candidate candidate = slot < bySlot.size() ? bySlot.get(slot) : null;
            if (candidate != null && (best == null || Candidate.ORDER.compare(candidate, best) < 0)) {
                best = candidate;
            }
        }
        return best;
    }

    /** The candidate that a node is now; null when it cannot take the pod. */
    @Nullable
    Candidate at(int slot) {
        catchUp();
        return slot < bySlot.size() ? bySlot.get(slot) : null;
    }

    private void catchUp() {
        if (position < 0 || !snapshot.nodeChanges().since(position, this::refresh)) {
            candidates.clear();
            bySlot.clear();
            for (int slot = 0; slot < snapshot.slots().size(); slot++) {
                refresh(slot);
            }
        }
        position = snapshot.nodeChanges().count();
    }

    private void refresh(int slot) {
        while (bySlot.size() <= slot) {
            bySlot.add(null);
        }
        Candidate before = bySlot.get(slot);
        ClusterSnapshot.Node node = snapshot.slots().get(slot);
        Candidate now = node == null ? null : rate.apply(node);
        if (before != null && before.equals(now)) {
            return;
        }
        if (before != null) {
            candidates.remove(before);
        }
        bySlot.set(slot, now);
        if (now != null) {
            candidates.add(now);
        }
    }
}
