package io.atoll.model.pod;

import io.atoll.base.TenantId;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Streams into the containers of running pods. Implemented by whoever runs them (the node agent) or knows who does
 * (the syncer, for a tenant's pods); called by the API server for {@code pods/log}, {@code exec}, {@code attach} and
 * {@code portforward} after it has authorized the request.
 *
 * <p>Every method blocks its (virtual) thread until the stream ends. Any thread. A wrong container, a pod that has not
 * started and the like are an {@link io.atoll.model.ApiException} thrown before the first byte.
 */
public interface PodStreams {
    /** Writes the log of one container to the sink and returns at its end, or when the reader has gone. */
    void logs(TenantId tenant, ObjectNode pod, LogOptions options, ByteSink sink) throws IOException;

    /** Runs a command in a container; returns the exit code. */
    int exec(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) throws IOException;

    /** Attaches to the main process of a container; returns the exit code. */
    int attach(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) throws IOException;

    /** Pumps bytes between the streams and a TCP port of the pod until either side closes. */
    void portForward(TenantId tenant, ObjectNode pod, int port, ExecStreams streams) throws IOException;
}
