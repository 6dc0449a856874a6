package io.atoll.scheduler.core.job;

import java.util.List;

/**
 * Where a pod is, or is to be. Immutable.
 *
 * @param node its name
 * @param gpuGroups the shared GPUs that it has a part of
 */
public record Place(String node, List<String> gpuGroups) {
    public Place {
        gpuGroups = List.copyOf(gpuGroups);
    }
}
