package io.atoll.scheduler.crd;

import io.atoll.model.ResourceType;

/** The resources that the scheduler works with beside the built-in ones. Immutable. */
public final class SchedulingTypes {
    /** The group of queues, pod groups and bind requests. */
    public static final String GROUP = "scheduling.run.ai";

    public static final ResourceType QUEUES = ResourceType.of(GROUP, "v2", "queues", "Queue", false);
    public static final ResourceType POD_GROUPS = ResourceType.of(GROUP, "v2alpha2", "podgroups", "PodGroup", true);
    public static final ResourceType BIND_REQUESTS =
            ResourceType.of(GROUP, "v1alpha2", "bindrequests", "BindRequest", true);
    public static final ResourceType TOPOLOGIES =
            ResourceType.of("kai.scheduler", "v1alpha1", "topologies", "Topology", false);

    private SchedulingTypes() {}
}
