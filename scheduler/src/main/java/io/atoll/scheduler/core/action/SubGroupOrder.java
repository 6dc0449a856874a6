package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.PodSet;
import java.util.Comparator;

/** The order in which the pod sets of a group get pods. */
final class SubGroupOrder {
    /** Those that have not what they must have; then those that have the least beyond that; then by name. */
    static final Comparator<PodSet> OF_SETS = SubGroupOrder::compare;

    private SubGroupOrder() {}

    private static int compare(PodSet left, PodSet right) {
        if (left.isSatisfied() != right.isSatisfied()) {
            return left.isSatisfied() ? 1 : -1;
        }
        if (left.isSatisfied()) {
            // allocated / minAvailable, without the division
            int byRatio = Long.compare(
                    (long) left.allocated() * right.minAvailable(), (long) right.allocated() * left.minAvailable());
            if (byRatio != 0) {
                return byRatio;
            }
        }
        return left.name().compareTo(right.name());
    }
}
