package io.atoll.node;

import io.atoll.base.TenantId;
import io.atoll.model.ApiException;
import io.atoll.model.pod.ByteSink;
import io.atoll.model.pod.ExecOptions;
import io.atoll.model.pod.ExecStreams;
import io.atoll.model.pod.LogOptions;
import io.atoll.model.pod.PodStreams;
import tools.jackson.databind.node.ObjectNode;

/** Streams into the pods that an agent runs. Any thread. */
final class NodeStreams implements PodStreams {
    @Override
    public void logs(TenantId tenant, ObjectNode pod, LogOptions options, ByteSink sink) {
        throw ApiException.badRequest("not yet");
    }

    @Override
    public int exec(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) {
        throw ApiException.badRequest("not yet");
    }

    @Override
    public int attach(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) {
        throw ApiException.badRequest("not yet");
    }

    @Override
    public void portForward(TenantId tenant, ObjectNode pod, int port, ExecStreams streams) {
        throw ApiException.badRequest("not yet");
    }
}
