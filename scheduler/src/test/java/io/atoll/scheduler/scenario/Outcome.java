package io.atoll.scheduler.scenario;

import java.util.List;
import java.util.Map;

/**
 * What the actions made of a scenario, after a round.
 *
 * @param tasks by uid
 * @param nodes GPUs of each node
 * @param reasons by job, why it waits: reason ids
 * @param calls how many binds, evictions and pipelines the round ordered
 */
record Outcome(
        Map<String, Placed> tasks,
        Map<String, Scenario.NodeGpus> nodes,
        Map<String, List<String>> reasons,
        Scenario.Calls calls) {

    /**
     * @param node empty when the pod is on none
     * @param gpuGroups the shared devices it has part of
     */
    record Placed(PodState state, String node, List<String> gpuGroups) {}
}
