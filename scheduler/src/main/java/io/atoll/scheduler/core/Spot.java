package io.atoll.scheduler.core;

import java.util.List;

/**
 * Where a pod could go. Good until the snapshot changes.
 *
 * @param node its name
 * @param now whether there is room at once; else once others have left
 * @param gpuGroups the shared GPUs that it would have parts of, new ones included
 */
public record Spot(String node, boolean now, List<String> gpuGroups) {
    public Spot {
        gpuGroups = List.copyOf(gpuGroups);
    }
}
