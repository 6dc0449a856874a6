package io.atoll.scheduler.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One row: a cluster, and what the actions should make of it. Defaults are filled in. Immutable.
 *
 * <p>GPUs are devices, cpu is in thousandths, memory of pods and nodes in bytes, memory of queues in 10^6 bytes, GPU
 * memory in MiB, durations in seconds; -1 is unlimited.
 *
 * @param file the file of the row, for messages
 * @param rule the section of the rule the row is about
 * @param queues departments first, then the queues; parents resolved
 * @param afterwards what holds when all is settled
 */
record Scenario(
        String file,
        String name,
        String rule,
        List<String> actions,
        List<String> settlingActions,
        Rounds rounds,
        Settings settings,
        Map<String, Node> nodes,
        List<Queue> queues,
        List<Job> jobs,
        List<Topology> topologies,
        Devices devices,
        Expectations expected,
        Expectations afterwards,
        Optional<Calls> calls) {

    /**
     * @param untilMatch rounds before the first comparison
     * @param afterMatch rounds that must change nothing
     * @param seconds how far the clock goes each round
     */
    record Rounds(int untilMatch, int afterMatch, double seconds) {}

    /** What an operator may set; the defaults are the scheduler's. */
    record Settings(
            int consolidationPreempteesMax,
            boolean consolidatingReclaim,
            double kValue,
            String gpuPlacement,
            String cpuPlacement,
            Map<String, Integer> queueDepth,
            double preemptMinRuntime,
            double reclaimMinRuntime,
            String reclaimResolveMethod,
            double stalenessGrace,
            double saturationMultiplier,
            boolean fullHierarchyFairness) {}

    /**
     * @param gpuMemory MiB of one GPU; 0 when the node does not say
     * @param taken what pods of other schedulers use
     */
    record Node(
            double gpus,
            String migStrategy,
            Map<String, Integer> migInstances,
            double cpuMillis,
            double memory,
            double gpuMemory,
            boolean gpuMemorySynced,
            int pods,
            Map<String, String> labels,
            List<Taint> taints,
            boolean ready,
            Amounts taken) {}

    record Taint(String key, String value, String effect) {}

    /** One figure for each of the resources that queues count. */
    record Amounts(double gpus, double cpuMillis, double memory) {}

    /**
     * @param parent empty for a queue at the top
     * @param usage share of the cluster used of late, when usage is kept
     */
    record Queue(
            String name,
            String parent,
            OptionalDouble priority,
            Amounts quota,
            Amounts limit,
            Amounts weight,
            OptionalDouble preemptMinRuntime,
            OptionalDouble reclaimMinRuntime,
            Optional<Amounts> usage) {}

    /**
     * @param ageMinutes how long ago the job was created
     * @param startedSecondsAgo when it last started, if it has
     * @param deleted whether its evicted pods stay away
     */
    record Job(
            String name,
            String namespace,
            String queue,
            int priority,
            boolean preemptible,
            double ageMinutes,
            OptionalDouble staleSeconds,
            OptionalDouble startedSecondsAgo,
            boolean deleted,
            boolean ready,
            SubGroups root,
            List<Task> tasks) {}

    /** A gang's tree: its inner nodes. */
    record SubGroups(String name, Optional<Constraint> topology, List<PodSet> podSets, List<SubGroups> groups) {}

    record PodSet(String name, int minAvailable, Optional<Constraint> topology) {}

    record Constraint(String topology, String required, String preferred) {}

    /**
     * @param gpus devices, or the part of one device below 1
     * @param gpuDevices over how many devices a part or an amount of memory is wanted
     * @param gpuMemory MiB on each device
     * @param affinityLabels labels of the pod, and what its affinity and anti-affinity select
     */
    record Task(
            String uid,
            String subGroup,
            double gpus,
            int gpuDevices,
            double gpuMemory,
            double cpuMillis,
            double memory,
            Map<String, Integer> migInstances,
            boolean legacyMig,
            PodState state,
            String node,
            List<String> gpuGroups,
            Optional<Integer> taskPriority,
            List<String> nodeNames,
            Map<String, String> nodeSelector,
            List<Toleration> tolerations,
            List<Integer> hostPorts,
            Map<String, String> affinityLabels,
            String affinityTopologyKey,
            String antiAffinityTopologyKey,
            String nominatedNode,
            Map<String, String> claimTemplates,
            List<String> claims) {}

    record Toleration(String key, String value, String effect) {}

    /** Levels from the largest domain down, as node labels. */
    record Topology(String name, List<String> levels) {}

    record Devices(List<String> classes, List<Slice> slices, List<Claim> claims) {}

    record Slice(
            String name,
            String deviceClass,
            String node,
            Map<String, String> nodeSelector,
            boolean allNodes,
            int count) {}

    record Claim(
            String name,
            String namespace,
            Map<String, String> labels,
            String deviceClass,
            int count,
            Map<String, String> status) {}

    record Expectations(
            Map<String, Expected> jobs,
            Map<String, Expected> tasks,
            Map<String, NodeGpus> nodes,
            List<Counted> counts) {}

    /**
     * @param node empty when any will do
     * @param reason why it waits, as a reason id; empty when it does not matter
     */
    record Expected(
            PodState state,
            String node,
            OptionalDouble gpusRequired,
            double gpusAccepted,
            double cpuMillis,
            double memory,
            List<String> gpuGroups,
            boolean anyGpuGroup,
            String reason) {}

    record NodeGpus(double releasing, double idle) {}

    /** How many pods of these jobs are in each state; which of them does not matter. */
    record Counted(List<String> jobs, Map<PodState, Integer> states, int nodes) {}

    /** The most calls that are right. */
    record Calls(int binds, int evictions, int pipelines) {}

    @Override
    public String toString() {
        return file + ": " + name;
    }
}
