package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.ClusterSnapshot;
import io.atoll.scheduler.core.GpuShare;
import io.atoll.scheduler.core.MigProfile;
import io.atoll.scheduler.core.NodeSpec;
import io.atoll.scheduler.core.queue.ResourceVector;
import java.util.Map;

/** What a cluster has in all. Stateless. */
final class Totals {
    private Totals() {}

    static ResourceVector of(ClusterSnapshot snapshot) {
        ResourceVector total = new ResourceVector();
        ResourceVector node = new ResourceVector();
        for (ClusterSnapshot.Node each : snapshot.nodes()) {
            Map<String, Long> allocatable = each.spec().allocatable();
            node.gpu = gpus(each, allocatable);
            node.cpu = allocatable.getOrDefault("cpu", 0L);
            node.memory = allocatable.getOrDefault("memory", 0L);
            total.add(node);
        }
        return total;
    }

    /** The GPUs that are free once leaving pods are gone, in millionths; MIG slices by their share. */
    static long freeGpus(ClusterSnapshot snapshot) {
        return snapshot.nodes().stream().mapToLong(snapshot::freeGpus).sum();
    }

    private static long gpus(ClusterSnapshot.Node node, Map<String, Long> allocatable) {
        if (!node.hasAccelerator()) {
            return 0;
        }
        long gpus = 0;
        for (Map.Entry<String, Long> entry : allocatable.entrySet()) {
            gpus += entry.getValue()
                    * (entry.getKey().equals(NodeSpec.GPU) ? GpuShare.WHOLE : MigProfile.share(entry.getKey()));
        }
        return gpus;
    }
}
