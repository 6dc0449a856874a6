package io.atoll.scheduler.core.queue;

/** When a job may take from other queues at all. Stateless; {@link ReclaimScenario} judges from whom. */
public final class ReclaimRules {
    private ReclaimRules() {}

    /**
     * Whether the queue would stay within its fair share with the job and, if nobody may evict the job, within its quota.
     * Only the job's own queue is looked at; those above it are weighed against their siblings in the scenario.
     */
    public static boolean canReclaim(Queue leaf, ResourceVector requested, boolean preemptible) {
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            long more = requested.get(resource);
            if (leaf.allocated().get(resource) + more > leaf.fairShare().get(resource)) {
                return false;
            }
        }
        return preemptible || withinQuota(leaf, requested);
    }

    /** Whether a non-preemptible job stays within the queue's quota. */
    static boolean withinQuota(Queue queue, ResourceVector requested) {
        ResourceVector used = queue.allocatedNonPreemptible();
        ResourceVector quota = queue.spec().quota();
        return ResourceVector.lessOrEqual(used.gpu + requested.gpu, quota.gpu)
                && ResourceVector.lessOrEqual(used.cpu + requested.cpu, quota.cpu)
                && ResourceVector.lessOrEqual(used.memory + requested.memory, quota.memory);
    }
}
