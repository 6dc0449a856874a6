package io.atoll.scheduler.core;

import java.util.Comparator;

/**
 * A node that can take a pod, with how good it is. Immutable.
 *
 * @param tie decides between equal scores: a seeded hash of the name, so that the choice depends on neither the order
 *     of arrival nor a map
 */
record Candidate(ClusterSnapshot.Node node, long score, long tie) {
    /** The best first. */
    static final Comparator<Candidate> ORDER = Comparator.comparingLong(Candidate::score)
            .reversed()
            .thenComparing(Candidate::tie, Long::compareUnsigned)
            .thenComparing(candidate -> candidate.node.spec().name());

    /** A candidate of which equals are told apart by name. */
    static Candidate of(ClusterSnapshot.Node node, long score) {
        return new Candidate(node, score, 0);
    }

    static Candidate of(ClusterSnapshot.Node node, long score, long seed) {
        long mixed = (node.nameHash() ^ seed) * 0x9E3779B97F4A7C15L;
        return new Candidate(node, score, (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L);
    }
}
