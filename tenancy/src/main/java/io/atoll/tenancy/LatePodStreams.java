package io.atoll.tenancy;

import io.atoll.base.TenantId;
import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.ByteSink;
import io.atoll.model.pod.ExecOptions;
import io.atoll.model.pod.ExecStreams;
import io.atoll.model.pod.LogOptions;
import io.atoll.model.pod.PodStreams;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster's API server needs the streams of whoever runs its pods, and those need the API server: they come second,
 * and until then a stream is answered 503. Any thread.
 */
public final class LatePodStreams implements PodStreams {
    private final AtomicReference<@Nullable PodStreams> runner = new AtomicReference<>();

    /** From now on streams go there. */
    public void become(PodStreams streams) {
        runner.set(streams);
    }

    @Override
    public void logs(TenantId tenant, ObjectNode pod, LogOptions options, ByteSink sink) throws IOException {
        runner().logs(tenant, pod, options, sink);
    }

    @Override
    public int exec(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) throws IOException {
        return runner().exec(tenant, pod, options, streams);
    }

    @Override
    public int attach(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) throws IOException {
        return runner().attach(tenant, pod, options, streams);
    }

    @Override
    public void portForward(TenantId tenant, ObjectNode pod, int port, ExecStreams streams) throws IOException {
        runner().portForward(tenant, pod, port, streams);
    }

    private PodStreams runner() {
        PodStreams streams = runner.get();
        if (streams == null) {
            throw new ApiException(StatusReason.ServiceUnavailable, "the cluster is still starting; try again");
        }
        return streams;
    }
}
