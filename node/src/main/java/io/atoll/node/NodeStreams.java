package io.atoll.node;

import io.atoll.base.TenantId;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.ByteSink;
import io.atoll.model.pod.ExecOptions;
import io.atoll.model.pod.ExecStreams;
import io.atoll.model.pod.LogOptions;
import io.atoll.model.pod.PodContainers;
import io.atoll.model.pod.PodStreams;
import io.atoll.node.runtime.Attempt;
import io.atoll.node.runtime.HostTypes;
import io.atoll.node.runtime.ProcessStreams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Streams into the pods that an agent runs, with the kubelet's messages for what cannot be. Any thread. */
final class NodeStreams implements PodStreams {
    private final Function<ObjectNode, Optional<PodLifecycle>> pods;
    private final @Nullable ProcessStreams processes;

    /**
     * Streams into pods.
     *
     * @param pods the pod of this agent with the UID of that object
     * @param processes null when no node here runs processes
     */
    NodeStreams(Function<ObjectNode, Optional<PodLifecycle>> pods, @Nullable ProcessStreams processes) {
        this.pods = pods;
        this.processes = processes;
    }

    @Override
    public void logs(TenantId tenant, ObjectNode pod, LogOptions options, ByteSink sink) throws IOException {
        String name = PodContainers.meant(pod, options.container());
        Optional<ContainerState> container = find(pod).flatMap(lifecycle -> state(lifecycle, name));
        Attempt current = container.map(state -> state.current).orElse(null);
        if (current == null) {
            throw ApiException.badRequest("container \"" + name + "\" in pod \"" + Metadata.name(pod)
                    + "\" is waiting to start: "
                    + container
                            .map(state -> state.waitingReason)
                            .filter(reason -> !reason.isEmpty())
                            .orElse("ContainerCreating"));
        }
        Attempt wanted =
                options.previous() ? container.map(state -> state.previous).orElse(null) : current;
        if (wanted == null) {
            throw ApiException.badRequest(
                    "previous terminated container \"" + name + "\" in pod \"" + Metadata.name(pod) + "\" not found");
        }
        if (processes == null || !real(pod)) {
            sink.write("simulated: this container runs nothing\n".getBytes(StandardCharsets.UTF_8));
            return;
        }
        processes.logs(wanted, options, sink);
    }

    @Override
    public int exec(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) throws IOException {
        Attempt attempt = running(pod, options.container());
        return processes(pod).exec(attempt, options, streams);
    }

    @Override
    public int attach(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) throws IOException {
        Attempt attempt = running(pod, options.container());
        return processes(pod).attach(attempt, options, streams);
    }

    @Override
    public void portForward(TenantId tenant, ObjectNode pod, int port, ExecStreams streams) throws IOException {
        PodLifecycle lifecycle = find(pod).orElseThrow(() -> gone(pod));
        processes(pod).portForward(lifecycle.podIp(), port, streams);
    }

    private Attempt running(ObjectNode pod, String wanted) {
        String name = PodContainers.meant(pod, wanted);
        Attempt attempt = find(pod)
                .flatMap(lifecycle -> state(lifecycle, name))
                .filter(ContainerState::running)
                .map(state -> state.current)
                .orElse(null);
        if (attempt == null) {
            throw new ApiException(
                    StatusReason.InternalError, "unable to upgrade connection: container not found (\"" + name + "\")");
        }
        return attempt;
    }

    private ProcessStreams processes(ObjectNode pod) {
        if (processes == null || !real(pod)) {
            throw ApiException.badRequest("pod \"" + Metadata.name(pod) + "\" is simulated: it runs nothing");
        }
        return processes;
    }

    private boolean real(ObjectNode pod) {
        return find(pod).map(lifecycle -> lifecycle.runtime().probes()).orElse(false);
    }

    private Optional<PodLifecycle> find(ObjectNode pod) {
        return pods.apply(pod);
    }

    private static ApiException gone(ObjectNode pod) {
        return ApiException.notFound(HostTypes.PODS.groupResource(), Metadata.name(pod));
    }

    private static Optional<ContainerState> state(PodLifecycle lifecycle, String name) {
        return lifecycle.containers().stream()
                .filter(container -> container.name().equals(name))
                .findFirst();
    }
}
