package io.atoll.scheduler.admission;

import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.SchedulingKeys;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is done with pods on their way in. Immutable.
 *
 * @param schedulerNames pods that name one of these are looked at
 * @param gpuSharing whether pods may ask for parts of GPUs
 * @param runtimeClass of pods that ask for GPUs and name none; empty to leave them
 * @param sharingConfigMaps whether pods that share GPUs read their devices from config maps that are made when they are
 *     bound: for nodes whose kubelet is not ours
 */
public record PodAdmissionOptions(
        Set<String> schedulerNames, boolean gpuSharing, String runtimeClass, boolean sharingConfigMaps) {
    private static final Set<String> SCHEDULERS = Set.of(SchedulingKeys.SCHEDULER_NAME, "atoll-scheduler");

    /** Where Atoll's own node agent runs the pods: it gives containers their devices itself. */
    public static final PodAdmissionOptions EMBEDDED = new PodAdmissionOptions(SCHEDULERS, true, "", false);

    /** As KAI does where NVIDIA's container runtime and a kubelet run the pods. */
    public static final PodAdmissionOptions KUBELET = new PodAdmissionOptions(SCHEDULERS, true, "nvidia", true);

    public PodAdmissionOptions {
        schedulerNames = Set.copyOf(schedulerNames);
    }

    public PodAdmissionOptions withGpuSharing(boolean allowed) {
        return new PodAdmissionOptions(schedulerNames, allowed, runtimeClass, sharingConfigMaps);
    }

    boolean admits(ObjectNode pod) {
        return schedulerNames.contains(pod.path("spec").path("schedulerName").asString(""))
                && !Metadata.namespace(pod).equals(SchedulingKeys.RESERVATION_NAMESPACE);
    }
}
