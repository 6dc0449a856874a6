package io.atoll.scheduler.crd;

/** Labels, annotations and names that KAI's users write, and those that the scheduler writes for them. */
public final class SchedulingKeys {
    // ---- labels of pods and their owners, set by users ----

    public static final String QUEUE = "kai.scheduler/queue";
    public static final String NODE_POOL = "kai.scheduler/node-pool";
    /** The queue is the project, or project and node pool. */
    public static final String PROJECT = "project";

    public static final String PRIORITY_CLASS = "priorityClassName";
    public static final String PREEMPTIBILITY = "kai.scheduler/preemptibility";
    public static final String USER = "user";

    // ---- labels and annotations of pods, set by the scheduler ----

    public static final String POD_GROUP = "pod-group-name";
    public static final String SUB_GROUP = "kai.scheduler/subgroup-name";
    public static final String SHARED_GPU_CONFIG_MAP = "runai/shared-gpu-configmap";

    // ---- annotations of pods, set by users ----

    public static final String GPU_FRACTION = "gpu-fraction";
    public static final String GPU_MEMORY = "gpu-memory";
    public static final String GPU_FRACTION_DEVICES = "gpu-fraction-num-devices";
    public static final String GPU_FRACTION_CONTAINER = "gpu-fraction-container-name";
    public static final String MPS = "mps";

    // ---- annotations of owners, set by users ----

    public static final String TOPOLOGY = "kai.scheduler/topology";
    public static final String TOPOLOGY_REQUIRED = "kai.scheduler/topology-required-placement";
    public static final String TOPOLOGY_PREFERRED = "kai.scheduler/topology-preferred-placement";
    public static final String SEGMENT_SIZE = "kai.scheduler/segment-size";
    public static final String SEGMENT_REQUIRED = "kai.scheduler/segment-topology-required-placement";
    public static final String SEGMENT_PREFERRED = "kai.scheduler/segment-topology-preferred-placement";
    /** So many pods of the owner start together, whatever its kind. */
    public static final String BATCH_MIN_MEMBER = "kai.scheduler/batch-min-member";

    // ---- annotations of pod groups ----

    public static final String STALE_SINCE = "kai.scheduler/stale-podgroup-timestamp";
    public static final String LAST_START = "kai.scheduler/last-start-timestamp";
    public static final String TOP_OWNER = "kai.scheduler/top-owner-metadata";
    /** How long a gang may run below its minimum: a duration; negative for ever. Atoll's own. */
    public static final String STALENESS_GRACE = "atoll.dev/staleness-grace";

    // ---- names ----

    public static final String SCHEDULER_NAME = "kai-scheduler";
    public static final String DEFAULT_QUEUE = "default-queue";
    public static final String GPU = "nvidia.com/gpu";
    public static final String RESERVATION_NAMESPACE = "kai-resource-reservation";

    private SchedulingKeys() {}
}
