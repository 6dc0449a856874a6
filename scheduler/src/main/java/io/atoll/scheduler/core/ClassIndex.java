package io.atoll.scheduler.core;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that can take a pod of one class, best first, kept up to date from the snapshot's changes.
 *
 * <p>Placing one more pod of the class costs the logarithm of the nodes, whatever their number. Only for classes
 * without rules about other pods. Belongs to one snapshot and one seed; on the snapshot's thread.
 */
final class ClassIndex {
    private final ClusterSnapshot snapshot;
    private final PodClass podClass;
    private final long seed;
    private final NavigableSet<Candidate> candidates = new TreeSet<>(Candidate.ORDER);
    private final List<@Nullable Candidate> bySlot = new ArrayList<>();
    private long position = -1;

    ClassIndex(ClusterSnapshot snapshot, PodClass podClass, long seed) {
        this.snapshot = snapshot;
        this.podClass = podClass;
        this.seed = seed;
    }

    /** The best node now; empty when no node can take the pod. */
    Optional<ClusterSnapshot.Node> best() {
        catchUp();
        return candidates.isEmpty()
                ? Optional.empty()
                : Optional.of(candidates.first().node());
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
        if (before != null) {
            candidates.remove(before);
        }
        ClusterSnapshot.Node node = snapshot.slots().get(slot);
        Candidate now = node == null || !Fit.fits(snapshot, podClass, node)
                ? null
                : Candidate.of(node, Scores.of(snapshot, podClass, node), seed);
        bySlot.set(slot, now);
        if (now != null) {
            candidates.add(now);
        }
    }
}
