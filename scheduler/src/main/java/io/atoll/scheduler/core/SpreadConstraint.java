package io.atoll.scheduler.core;

import io.atoll.model.LabelSelector;

/**
 * A topology spread constraint.
 *
 * @param required DoNotSchedule, else ScheduleAnyway
 * @param honourNodeAffinity whether nodes that the pod's affinity excludes do not count
 * @param honourNodeTaints whether nodes with taints that the pod does not tolerate do not count
 */
public record SpreadConstraint(
        String topologyKey,
        int maxSkew,
        int minDomains,
        boolean required,
        LabelSelector selector,
        boolean honourNodeAffinity,
        boolean honourNodeTaints) {}
