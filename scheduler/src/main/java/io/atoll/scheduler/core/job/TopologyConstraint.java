package io.atoll.scheduler.core.job;

import org.jspecify.annotations.Nullable;

/**
 * That pods are to be near each other. Immutable.
 *
 * @param topology the name of a topology
 * @param required the node label within one value of which all must be
 * @param preferred the node label within one value of which all should be
 */
public record TopologyConstraint(
        String topology,
        @Nullable String required,
        @Nullable String preferred) {}
