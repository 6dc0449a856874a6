package io.atoll.tenancy;

import io.atoll.apiserver.http.ListenException;
import io.atoll.apiserver.http.Listener;
import io.atoll.apiserver.registry.Extension;
import io.atoll.base.TenantId;
import io.atoll.base.Timers;
import io.atoll.controllers.BuiltInControllers;
import io.atoll.model.Json;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.pod.PodStreams;
import io.atoll.syncer.HostFeed;
import io.atoll.syncer.Syncer;
import io.atoll.syncer.SyncerOptions;
import io.atoll.syncer.TenantPodStreams;
import io.atoll.syncer.config.TenantConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves many tenants in one process, each with its own store, keys, port, controllers and syncer. Calls for one tenant
 * must not overlap; calls for different tenants may.
 */
public final class Cell implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cell.class);

    private final ClusterAssembly host;
    private final HostFeed hostFeed;
    private final PodStreams hostStreams;
    private final Listener listener;
    private final Path folder;
    private final List<Extension> extensions;
    private final Timers timers;
    private final Map<TenantId, RunningTenant> running = new ConcurrentHashMap<>();

    /**
     * A cell without tenants.
     *
     * @param hostStreams streams into the host's pods
     * @param folder holds a folder for each tenant
     * @param extensions of every tenant's API, beyond the standard ones
     */
    public Cell(
            ClusterAssembly host,
            PodStreams hostStreams,
            Listener listener,
            Path folder,
            List<Extension> extensions,
            Timers timers) {
        this.host = host;
        this.hostFeed = new HostFeed(host.cache());
        this.hostStreams = hostStreams;
        this.listener = listener;
        this.folder = folder;
        this.extensions = List.copyOf(extensions);
        this.timers = timers;
    }

    /**
     * Serves a tenant with a configuration; restarts it when it is served with another one.
     *
     * @param owner its TenantCluster, whose UID names its folder and with which its host objects go
     * @throws io.atoll.syncer.config.ConfigException with every mistake in the configuration
     */
    RunningTenant open(TenantId tenant, OwnerReference owner, JsonNode config) {
        RunningTenant present = running.get(tenant);
        if (present != null && Json.same(present.config(), config)) {
            return present;
        }
        TenantConfig parsed = TenantConfig.of(config instanceof ObjectNode object ? object : Json.object());
        close(tenant);
        RunningTenant started = start(tenant, new TenantFolder(folder.resolve(owner.uid())), owner, config, parsed);
        running.put(tenant, started);
        return started;
    }

    /** Stops serving a tenant; its data stays. Nothing when it is not served. */
    void close(TenantId tenant) {
        RunningTenant present = running.remove(tenant);
        if (present != null) {
            present.close();
        }
    }

    /** Removes the data of a tenant that is not served. */
    void forget(String uid) {
        new TenantFolder(folder.resolve(uid)).delete();
    }

    @Override
    public void close() {
        running.keySet().forEach(this::close);
        hostFeed.close();
    }

    private RunningTenant start(
            TenantId tenant, TenantFolder files, OwnerReference owner, JsonNode config, TenantConfig parsed) {
        LatePodStreams streams = new LatePodStreams();
        ClusterAssembly cluster = openOnItsPort(tenant, files, streams);
        try {
            files.savePort(cluster.port());
            streams.become(new TenantPodStreams(host.client(), hostStreams));
            AutoCloseable controllers = BuiltInControllers.start(
                    cluster.client(),
                    cluster.cache(),
                    BuiltInControllers.Options.all(cluster.keys().authority().certificatePem()));
            AutoCloseable syncer = Syncer.start(
                    tenant,
                    cluster.client(),
                    cluster.cache(),
                    host.client(),
                    hostFeed.of(tenant.namespace()),
                    parsed,
                    SyncerOptions.defaults()
                            .withApiAddress("127.0.0.1", cluster.port())
                            .withOwner(owner));
            return new RunningTenant(cluster, config, controllers, syncer);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private ClusterAssembly openOnItsPort(TenantId tenant, TenantFolder files, PodStreams streams) {
        Set<String> names = Set.of(tenant.name() + "." + tenant.namespace() + ".atoll.local");
        int port = files.port();
        try {
            return ClusterAssembly.open(tenant, files.path(), listener, port, names, streams, extensions, timers);
        } catch (ListenException taken) {
            if (port == 0) {
                throw taken;
            }
            LOG.warn("port {} of tenant {} is taken by another program; it gets a new one", port, tenant);
            return ClusterAssembly.open(tenant, files.path(), listener, 0, names, streams, extensions, timers);
        }
    }
}
