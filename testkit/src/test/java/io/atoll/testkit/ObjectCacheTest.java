package io.atoll.testkit;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.Informers;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What every {@link ObjectCache} promises, tried on the server's own and on informers. */
@Timeout(60)
final class ObjectCacheTest {
    private static final ResourceType CONFIG_MAPS = ResourceType.of("", "v1", "configmaps", "ConfigMap", true);
    private static final ResourceType NAMESPACES = ResourceType.of("", "v1", "namespaces", "Namespace", false);
    private static final ResourceType WIDGETS = ResourceType.of("example.com", "v1", "widgets", "Widget", true);

    enum Kind {
        WATCH_CACHE,
        INFORMERS;

        ObjectCache make(TestCluster cluster) {
            return switch (this) {
                case WATCH_CACHE -> cluster.cache();
                case INFORMERS -> new Informers(cluster.client(), Timers.system());
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellsOfPresentObjectsAndThenOfChangesInOrder(Kind kind) {
        try (TestCluster cluster = TestCluster.start();
                ObjectCache cache = kind.make(cluster)) {
            create(cluster, "first");
            new Awaiting(cache).value("first", List.of(CONFIG_MAPS), () -> cache.get(CONFIG_MAPS, "default", "first"));
            List<String> seen = new CopyOnWriteArrayList<>();
            try (var _ = cache.subscribe(
                    CONFIG_MAPS,
                    (before, after) -> seen.add(describe(Optional.ofNullable(before), Optional.ofNullable(after))))) {
                assertThat(seen).containsExactly("+first");
                create(cluster, "second");
                cluster.client()
                        .patch(
                                CONFIG_MAPS,
                                "default",
                                "second",
                                "",
                                Client.PatchType.MERGE,
                                Json.parse("{\"data\":{\"a\":\"1\"}}"));
                cluster.client().delete(CONFIG_MAPS, "default", "second", Client.DeleteOptions.DEFAULT);
                new Awaiting(cache)
                        .value(
                                "four changes",
                                List.of(CONFIG_MAPS),
                                () -> seen.size() == 4 ? Optional.of(true) : Optional.empty());
                assertThat(seen).containsExactly("+first", "+second", "=second", "-second");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsByNamespaceAndGivesFreshTrees(Kind kind) {
        try (TestCluster cluster = TestCluster.start();
                ObjectCache cache = kind.make(cluster)) {
            ObjectNode namespace = Json.object();
            namespace.putObject("metadata").put("name", "default-not");
            cluster.client()
                    .create(NAMESPACES, "", namespace.put("apiVersion", "v1").put("kind", "Namespace"));
            create(cluster, "a");
            StoredObject stored =
                    new Awaiting(cache).value("a", List.of(CONFIG_MAPS), () -> cache.get(CONFIG_MAPS, "default", "a"));
            assertThat(cache.list(CONFIG_MAPS, "default")).hasSize(1);
            assertThat(cache.list(CONFIG_MAPS, "default-not")).isEmpty();
            assertThat(cache.list(CONFIG_MAPS, "")).hasSize(1);
            assertThat(stored.tree().path("kind").asString("")).isEqualTo("ConfigMap");
            assertThat(stored.metadata().uid()).isNotEmpty();
            stored.tree().removeAll();
            assertThat(stored.tree().isEmpty()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTypeThatIsNotServedLooksEmpty(Kind kind) {
        try (TestCluster cluster = TestCluster.start();
                ObjectCache cache = kind.make(cluster)) {
            assertThat(cache.list(WIDGETS, "")).isEmpty();
            assertThat(cache.get(WIDGETS, "default", "x")).isEmpty();
        }
    }

    private static void create(TestCluster cluster, String name) {
        ObjectNode map = Json.object();
        map.put("apiVersion", "v1").put("kind", "ConfigMap");
        map.putObject("metadata").put("name", name).put("namespace", "default");
        cluster.client().create(CONFIG_MAPS, "default", map);
    }

    private static String describe(Optional<StoredObject> before, Optional<StoredObject> after) {
        String sign = before.isEmpty() ? "+" : after.isEmpty() ? "-" : "=";
        return sign + after.or(() -> before).orElseThrow().name();
    }
}
