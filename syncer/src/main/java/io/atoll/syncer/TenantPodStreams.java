package io.atoll.syncer;

import io.atoll.base.TenantId;
import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import io.atoll.model.pod.ByteSink;
import io.atoll.model.pod.ExecOptions;
import io.atoll.model.pod.ExecStreams;
import io.atoll.model.pod.LogOptions;
import io.atoll.model.pod.PodContainers;
import io.atoll.model.pod.PodStreams;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.syncer.translate.HostNames;
import io.atoll.syncer.translate.HostObjects;
import io.atoll.syncer.translate.Scrubber;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Streams into tenants' pods by way of the host pods that run them. Only a host pod that the syncer has made for this
 * very pod of this very tenant is reached, and only containers that the tenant knows of. Any thread.
 */
public final class TenantPodStreams implements PodStreams {
    private final Client host;
    private final PodStreams hostStreams;

    public TenantPodStreams(Client host, PodStreams hostStreams) {
        this.host = host;
        this.hostStreams = hostStreams;
    }

    @Override
    public void logs(TenantId tenant, ObjectNode pod, LogOptions options, ByteSink sink) throws IOException {
        LogOptions named = new LogOptions(
                PodContainers.meant(pod, options.container()),
                options.follow(),
                options.previous(),
                options.timestamps(),
                options.tailLines(),
                options.limitBytes(),
                options.since());
        ObjectNode hostPod = hostPod(tenant, pod);
        try {
            hostStreams.logs(TenantId.HOST, hostPod, named, sink);
        } catch (ApiException e) {
            throw scrubbed(tenant, pod, e);
        }
    }

    @Override
    public int exec(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) throws IOException {
        ExecOptions named = named(pod, options);
        ObjectNode hostPod = hostPod(tenant, pod);
        try {
            return hostStreams.exec(TenantId.HOST, hostPod, named, streams);
        } catch (ApiException e) {
            throw scrubbed(tenant, pod, e);
        }
    }

    @Override
    public int attach(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) throws IOException {
        ExecOptions named = named(pod, options);
        ObjectNode hostPod = hostPod(tenant, pod);
        try {
            return hostStreams.attach(TenantId.HOST, hostPod, named, streams);
        } catch (ApiException e) {
            throw scrubbed(tenant, pod, e);
        }
    }

    @Override
    public void portForward(TenantId tenant, ObjectNode pod, int port, ExecStreams streams) throws IOException {
        ObjectNode hostPod = hostPod(tenant, pod);
        try {
            hostStreams.portForward(TenantId.HOST, hostPod, port, streams);
        } catch (ApiException e) {
            throw scrubbed(tenant, pod, e);
        }
    }

    private ObjectNode hostPod(TenantId tenant, ObjectNode pod) {
        HostNames names = new HostNames(tenant);
        HostObjects objects = new HostObjects(names, Optional.empty());
        String name = names.of(Metadata.namespace(pod), Metadata.name(pod));
        return host.find(BuiltInTypes.PODS, names.namespace(), name)
                .filter(objects::isOurs)
                .filter(found -> HostObjects.tenantUid(found).equals(Metadata.uid(pod)))
                .filter(found ->
                        !found.path("spec").path("nodeName").asString("").isEmpty())
                .orElseThrow(
                        () -> ApiException.badRequest("pod " + Metadata.name(pod) + " does not have a host assigned"));
    }

    /** With the container to reach: the host pod may have more of them than the tenant's. */
    private static ExecOptions named(ObjectNode pod, ExecOptions options) {
        return new ExecOptions(
                PodContainers.meant(pod, options.container()),
                options.command(),
                options.stdin(),
                options.stdout(),
                options.stderr(),
                options.tty());
    }

    private static ApiException scrubbed(TenantId tenant, ObjectNode pod, ApiException e) {
        HostNames names = new HostNames(tenant);
        Scrubber scrubber = new Scrubber(names);
        scrubber.remember(Metadata.namespace(pod), Metadata.name(pod));
        StatusReason reason = e.reason();
        return new ApiException(
                reason, e.code(), scrubber.scrub(String.valueOf(e.getMessage()), Metadata.namespace(pod)), null);
    }
}
