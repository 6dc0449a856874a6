package io.atoll.node;

import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.model.pod.PodStreams;
import java.nio.file.Path;
import java.util.List;

/**
 * The kubelet side of a set of nodes: registers them, keeps them alive, and runs the pods bound to them.
 *
 * <p>One agent serves thousands of nodes; no node and no simulated pod has a thread of its own. Any thread may call it.
 */
public final class NodeAgent implements AutoCloseable {
    private final NodeStreams streams = new NodeStreams();

    private NodeAgent() {}

    /**
     * Registers the nodes and starts to run their pods.
     *
     * @param dir where pods, their logs and the device grants are kept; what runs there already is taken over
     */
    public static NodeAgent start(
            Client host, ObjectCache hostCache, List<NodeSpec> specs, Path dir, NodeOptions options) {
        return new NodeAgent();
    }

    /** Streams into the pods of these nodes. */
    public PodStreams streams() {
        return streams;
    }

    /** Ends the containers of these nodes, as when a node is shut down, then closes the agent. */
    public void shutdown() {
        close();
    }

    /** Stops acting; containers go on running, and the next agent on the same folder takes them over. */
    @Override
    public void close() {}
}
