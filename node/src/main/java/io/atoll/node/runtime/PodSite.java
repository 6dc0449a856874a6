package io.atoll.node.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pod on a node: what a runtime needs to know of it. Immutable but for the tree, which is only read.
 *
 * @param dir the pod's own folder
 * @param devices the GPUs granted to each container
 */
public record PodSite(
        ObjectNode pod,
        String node,
        String hostIp,
        String podIp,
        Path dir,
        Map<String, List<String>> devices,
        Map<String, String> nodeAllocatable) {

    public PodSite {
        devices = Map.copyOf(devices);
        nodeAllocatable = Map.copyOf(nodeAllocatable);
    }

    public String namespace() {
        return pod.path("metadata").path("namespace").asString("");
    }

    public String name() {
        return pod.path("metadata").path("name").asString("");
    }

    public String uid() {
        return pod.path("metadata").path("uid").asString("");
    }

    public List<String> devices(String container) {
        return devices.getOrDefault(container, List.of());
    }
}
