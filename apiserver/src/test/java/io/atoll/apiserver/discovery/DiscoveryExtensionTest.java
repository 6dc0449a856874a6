package io.atoll.apiserver.discovery;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.admission.Admission;
import io.atoll.apiserver.authz.Authorizer;
import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.apiserver.registry.Views;
import io.atoll.base.TenantId;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static io.atoll.apiserver.discovery.FixedResources.served;
import static org.assertj.core.api.Assertions.assertThat;

/** What clients read to learn the types. */
final class DiscoveryExtensionTest {
    private static final String AGGREGATED =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

    private final List<ServedResource> types = List.of(
            served(ResourceType.of("", "v1", "pods", "Pod", true), false),
            served(ResourceType.of("apps", "v1", "deployments", "Deployment", true), false),
            served(
                    ResourceType.of("autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", true),
                    false),
            served(
                    ResourceType.of("autoscaling", "v1", "horizontalpodautoscalers", "HorizontalPodAutoscaler", true),
                    false));
    private final FixedResources resources = new FixedResources(types);
    private final Paths paths = new Paths();

    DiscoveryExtensionTest() {
        new DiscoveryExtension()
                .install(new ClusterContext(TenantId.HOST, resources, new NoObjects(), InstantSource.system()), paths);
    }

    @Test
    void groupsKeepTheirOrderAndPreferTheFirstVersion() {
        JsonNode groups = json(get("/apis", "application/json")).path("groups");
        assertThat(groups.path(0).path("name").asString()).isEqualTo("apps");
        assertThat(groups.path(1).path("preferredVersion").path("version").asString())
                .isEqualTo("v2");
        assertThat(groups.path(1).path("versions").size()).isEqualTo(2);
        assertThat(json(get("/apis/autoscaling", "")).path("kind").asString()).isEqualTo("APIGroup");
    }

    @Test
    void resourcesOfAVersion() {
        JsonNode pod = json(get("/api/v1", "")).path("resources").path(0);
        assertThat(pod.path("name").asString()).isEqualTo("pods");
        assertThat(pod.path("storageVersionHash").asString()).isEqualTo("xPOwRZ+Yhw8=");
        assertThat(status(get("/apis/apps/v9", ""))).isEqualTo(404);
        assertThat(status(get("/apis/none", ""))).isEqualTo(404);
    }

    @Test
    void oneAggregatedDocumentWithAnEntityTag() {
        ApiResponse.Full full = get("/apis", AGGREGATED);
        assertThat(full.contentType())
                .isEqualTo("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
        JsonNode group = json(full).path("items").path(0);
        assertThat(group.path("metadata").path("name").asString()).isEqualTo("apps");
        assertThat(group.path("versions")
                        .path(0)
                        .path("resources")
                        .path(0)
                        .path("scope")
                        .asString())
                .isEqualTo("Namespaced");
        String tag = full.headers().getOrDefault("ETag", "");
        assertThat(status(paths.get("/apis", Map.of("accept", AGGREGATED, "if-none-match", tag))))
                .isEqualTo(304);
        assertThat(json(get("/api", AGGREGATED)).path("items").size()).isEqualTo(1);
    }

    @Test
    void customTypesAppearAtOnce() {
        List<ServedResource> more = new ArrayList<>(types);
        more.add(served(ResourceType.of("example.com", "v1", "things", "Thing", false), true));
        assertThat(status(get("/apis/example.com", ""))).isEqualTo(404);
        resources.set(more);
        assertThat(status(get("/apis/example.com", ""))).isEqualTo(200);
        assertThat(json(get("/apis/example.com/v1", ""))
                        .path("resources")
                        .path(0)
                        .path("namespaced")
                        .asBoolean(true))
                .isFalse();
    }

    private ApiResponse.Full get(String path, String accept) {
        return paths.get(path, Map.of("accept", accept));
    }

    private static int status(ApiResponse.Full response) {
        return response.status();
    }

    private static JsonNode json(ApiResponse.Full response) {
        assertThat(response.status()).isEqualTo(200);
        return Json.parse(response.segments().getFirst());
    }

    /** Keeps the path handlers that an extension brings. */
    private static final class Paths implements Extension.Registrar {
        private final Map<String, Extension.PathHandler> handlers = new HashMap<>();

        ApiResponse.Full get(String path, Map<String, String> headers) {
            String prefix = path.startsWith("/apis") ? "/apis" : "/api";
            Extension.PathHandler handler = Objects.requireNonNull(handlers.get(prefix));
            return (ApiResponse.Full)
                    handler.handle(new ApiRequest("GET", path, Map.of(), headers, new byte[0], UserInfo.ANONYMOUS));
        }

        @Override
        public void authorizer(Authorizer authorizer) {}

        @Override
        public void path(String prefix, Extension.PathHandler handler) {
            handlers.put(prefix, handler);
        }

        @Override
        public void create(GroupResource resource, String subresource, Extension.CreateHandler handler) {}

        @Override
        public void views(Views views) {}

        @Override
        public void admission(Admission plugin) {}

        @Override
        public void bootstrap(List<ObjectNode> objects) {}
    }

    private static final class NoObjects implements ObjectReader {
        @Override
        public Optional<byte[]> get(GroupResource resource, String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public List<byte[]> list(GroupResource resource, String namespace) {
            return List.of();
        }

        @Override
        public Registration subscribe(GroupResource resource, Listener listener) {
            return () -> {};
        }
    }
}
