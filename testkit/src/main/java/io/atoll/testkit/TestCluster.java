package io.atoll.testkit;

import io.atoll.apiserver.Cluster;
import io.atoll.apiserver.ClusterApi;
import io.atoll.apiserver.ClusterOptions;
import io.atoll.apiserver.StandardExtensions;
import io.atoll.apiserver.UserInfo;
import io.atoll.base.TenantId;
import io.atoll.client.ObjectCache;
import io.atoll.client.RestClient;
import io.atoll.client.StoredObject;
import io.atoll.inprocess.InProcessTransport;
import io.atoll.inprocess.WatchCacheView;
import io.atoll.model.ResourceType;
import io.atoll.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/**
 * A real API server in this process, over a store in a temporary folder, with nothing else running. Any thread.
 *
 * <p>What a test starts on it, it closes before the cluster.
 */
public final class TestCluster implements AutoCloseable {
    private final Path folder;
    private final ClusterApi cluster;
    private final RestClient client;
    private final WatchCacheView cache;
    private final Awaiting awaiting;

    private TestCluster(Path folder, ClusterApi cluster) {
        this.folder = folder;
        this.cluster = cluster;
        client = as(InProcessTransport.CONTROLLER_MANAGER);
        cache = new WatchCacheView(cluster.objects());
        awaiting = new Awaiting(cache);
    }

    public static TestCluster start() {
        return start(TenantId.HOST, options -> options);
    }

    /** @param customize changes what the cluster is made of */
    public static TestCluster start(TenantId tenant, UnaryOperator<ClusterOptions> customize) {
        try {
            Path folder = Files.createTempDirectory("atoll-test");
            ClusterOptions options = ClusterOptions.of(SqliteStore.open(folder.resolve("store.db")))
                    .withExtensions(StandardExtensions.withoutTokens());
            return new TestCluster(folder, ClusterApi.open(tenant, customize.apply(options)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Cluster cluster() {
        return cluster;
    }

    /** Acts as the administrator. */
    public RestClient client() {
        return client;
    }

    /** Acts as any user. */
    public RestClient as(UserInfo user) {
        return new RestClient(new InProcessTransport(cluster, user), "atoll-test");
    }

    /** The server's own watch cache. */
    public ObjectCache cache() {
        return cache;
    }

    /** Waits until an object is there and as it should be. */
    public ObjectNode await(ResourceType type, String namespace, String name, Predicate<ObjectNode> condition) {
        return awaiting.value(
                type.resource() + " " + namespace + "/" + name,
                List.of(type),
                () -> cache.get(type, namespace, name).map(StoredObject::tree).filter(condition));
    }

    public void awaitGone(ResourceType type, String namespace, String name) {
        awaiting.value(
                type.resource() + " " + namespace + "/" + name + " to go",
                List.of(type),
                () -> cache.get(type, namespace, name).isPresent() ? Optional.empty() : Optional.of(true));
    }

    /** Waits until the objects of a namespace are as they should be; an empty namespace means all of them. */
    public List<ObjectNode> awaitAll(ResourceType type, String namespace, Predicate<List<ObjectNode>> condition) {
        return awaiting.value(
                "all " + type.resource() + " of " + namespace,
                List.of(type),
                () -> Optional.of(list(type, namespace)).filter(condition));
    }

    /** The objects that the cache shows now. */
    public List<ObjectNode> list(ResourceType type, String namespace) {
        return cache.list(type, namespace).stream().map(StoredObject::tree).toList();
    }

    @Override
    public void close() {
        cache.close();
        cluster.close();
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
