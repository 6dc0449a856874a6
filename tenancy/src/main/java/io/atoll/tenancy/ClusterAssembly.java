package io.atoll.tenancy;

import io.atoll.apiserver.Cluster;
import io.atoll.apiserver.ClusterApi;
import io.atoll.apiserver.ClusterOptions;
import io.atoll.apiserver.StandardExtensions;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.authn.ClusterAuthenticator;
import io.atoll.apiserver.http.Listener;
import io.atoll.apiserver.pki.ClusterKeys;
import io.atoll.apiserver.pki.SubjectNames;
import io.atoll.apiserver.registry.Extension;
import io.atoll.base.TenantId;
import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.client.RestClient;
import io.atoll.inprocess.InProcessTransport;
import io.atoll.inprocess.WatchCacheView;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import io.atoll.model.pod.PodStreams;
import io.atoll.store.Store;
import io.atoll.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * One cluster put together and served: keys, store, API, port. The host and every tenant are each one of these.
 *
 * <p>Everything that belongs to the cluster lies in one folder: {@code store.db} and {@code pki}.
 */
public final class ClusterAssembly implements AutoCloseable {
    /** Components of this process act with all rights in the clusters they run. */
    private static final UserInfo COMPONENT = UserInfo.of("system:atoll", UserInfo.SYSTEM_MASTERS);

    private final TenantId tenant;
    private final ClusterKeys keys;
    private final Cluster cluster;
    private final Listener listener;
    private final InetSocketAddress address;
    private final Client client;
    private final ObjectCache cache;

    private ClusterAssembly(
            TenantId tenant, ClusterKeys keys, Cluster cluster, Listener listener, InetSocketAddress address) {
        this.tenant = tenant;
        this.keys = keys;
        this.cluster = cluster;
        this.listener = listener;
        this.address = address;
        this.client = new RestClient(new InProcessTransport(cluster, COMPONENT), "atoll");
        this.cache = new WatchCacheView(cluster.objects());
    }

    /**
     * Opens a cluster from its folder, made first if need be, and serves it.
     *
     * @param port 0 for any free one
     * @param hostNames that select it by SNI; also names of its certificate
     * @param extensions beyond the standard ones; their admission plugins come before quotas
     * @throws io.atoll.apiserver.http.ListenException when the port cannot be opened
     */
    public static ClusterAssembly open(
            TenantId tenant,
            Path folder,
            Listener listener,
            int port,
            Set<String> hostNames,
            PodStreams podStreams,
            List<Extension> extensions,
            Timers timers) {
        try {
            Files.createDirectories(folder);
            ClusterKeys keys = ClusterKeys.open(folder.resolve("pki"), tenant.name(), names(tenant, hostNames), timers);
            Cluster cluster = ClusterApi.open(
                    tenant,
                    options(SqliteStore.open(folder.resolve("store.db")), keys, podStreams, extensions, timers));
            try {
                InetSocketAddress address = listener.addCluster(cluster, port, keys.tls(), hostNames);
                return new ClusterAssembly(tenant, keys, cluster, listener, address);
            } catch (RuntimeException e) {
                cluster.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the cluster in " + folder + ": " + e.getMessage(), e);
        }
    }

    private static ClusterOptions options(
            Store store, ClusterKeys keys, PodStreams podStreams, List<Extension> extensions, Timers timers) {
        ClusterTokens tokens = new ClusterTokens(keys, timers);
        List<Extension> all = new ArrayList<>(extensions);
        all.addAll(StandardExtensions.of(tokens));
        return ClusterOptions.of(store)
                .withExtensions(all)
                .withAuthenticator(cluster -> new ClusterAuthenticator(
                        List.of(keys.authority().certificate()), tokens.apply(cluster), timers))
                .withPodStreams(podStreams)
                .withTimers(timers);
    }

    private static SubjectNames names(TenantId tenant, Set<String> hostNames) {
        Set<String> names = new HashSet<>(hostNames);
        names.add(tenant.name());
        if (!tenant.namespace().isEmpty()) {
            names.add(tenant.name() + "." + tenant.namespace());
            names.add(tenant.name() + "." + tenant.namespace() + ".svc");
        }
        return SubjectNames.standard().plus(new SubjectNames(names, Set.of()));
    }

    /** Creates an object unless it is there; changes it when it is there and differs in its {@code spec}. */
    public void ensure(ResourceType type, ObjectNode object) {
        String name = Metadata.name(object);
        Optional<ObjectNode> present = client.find(type, "", name);
        if (present.isEmpty()) {
            client.create(type, "", object);
        } else {
            client.apply(type, "", name, "atoll", object);
        }
    }

    public TenantId tenant() {
        return tenant;
    }

    public ClusterKeys keys() {
        return keys;
    }

    /** In-process, with all rights. */
    public Client client() {
        return client;
    }

    /** The API server's own watch cache. */
    public ObjectCache cache() {
        return cache;
    }

    public int port() {
        return address.getPort();
    }

    /** {@code https://127.0.0.1:PORT}. */
    public String endpoint() {
        return "https://" + address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    @Override
    public void close() {
        listener.removeCluster(tenant);
        cluster.close();
    }
}
