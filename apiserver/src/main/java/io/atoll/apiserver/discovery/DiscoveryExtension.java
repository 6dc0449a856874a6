package io.atoll.apiserver.discovery;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;
import io.atoll.apiserver.registry.Resources;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.StatusReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Discovery: {@code /api} and {@code /apis} with what is below, both in one document for each group version and
 * aggregated. Documents are shared by all clusters of the process that serve the same types.
 */
public final class DiscoveryExtension implements Extension {
    private static final int TYPE_SETS_MAX = 64;
    private static final List<String> AGGREGATED_VERSIONS = List.of("v2", "v2beta1");

    private static final SharedDocuments<List<ResourceType>, DiscoveryDocuments> SHARED =
            new SharedDocuments<>(TYPE_SETS_MAX);

    @Override
    public void install(ClusterContext cluster, Registrar registrar) {
        Discovery discovery = new Discovery(cluster.resources());
        registrar.path("/", discovery::root);
        registrar.path("/api", discovery);
        registrar.path("/apis", discovery);
    }

    /** One cluster's discovery. Any thread. */
    private static final class Discovery implements PathHandler {
        private final Resources resources;
        private volatile @Nullable Current current;

        /** Documents as of a generation of the served types. */
        private record Current(long generation, DiscoveryDocuments documents) {}

        Discovery(Resources resources) {
            this.resources = resources;
        }

        @Override
        public ApiResponse handle(ApiRequest request) {
            String path = request.path().endsWith("/") && request.path().length() > 1
                    ? request.path().substring(0, request.path().length() - 1)
                    : request.path();
            String[] parts = path.substring(1).split("/", -1);
            Optional<Document> document = switch (parts.length) {
                case 1 -> root(request, parts[0].equals("api"));
                case 2 ->
                    parts[0].equals("api")
                            ? documents().resources("", parts[1])
                            : documents().group(parts[1]);
                case 3 -> parts[0].equals("apis") ? documents().resources(parts[1], parts[2]) : Optional.empty();
                default -> Optional.empty();
            };
            return document.map(found -> found.answer(request, Map.of())).orElseGet(Document::notFound);
        }

        private Optional<Document> root(ApiRequest request, boolean core) {
            for (AcceptedType type : AcceptedType.parse(request.header("accept", ""))) {
                if (type.parameter("as").equals("APIGroupDiscoveryList")
                        && type.parameter("g").equals("apidiscovery.k8s.io")
                        && AGGREGATED_VERSIONS.contains(type.parameter("v"))) {
                    return Optional.of(documents().aggregated(core, type.parameter("v")));
                }
                if (type.takesJson()) {
                    break;
                }
            }
            return Optional.of(core ? versions(request) : documents().groupList());
        }

        /** {@code /}: the paths that there are. Nothing else answers for paths that nobody serves. */
        ApiResponse root(ApiRequest request) {
            if (!request.path().equals("/")) {
                throw new ApiException(StatusReason.NotFound, "the server could not find the requested resource");
            }
            return documents().paths().answer(request, Map.of());
        }

        private static Document versions(ApiRequest request) {
            ObjectNode versions = Json.object();
            versions.put("kind", "APIVersions");
            versions.putArray("versions").add("v1");
            versions.putArray("serverAddressByClientCIDRs")
                    .addObject()
                    .put("clientCIDR", "0.0.0.0/0")
                    .put("serverAddress", request.header("host", ""));
            return Document.json("application/json", versions);
        }

        private List<ResourceType> types() {
            return resources.all().stream().map(ServedResource::type).toList();
        }

        private DiscoveryDocuments documents() {
            long generation = resources.generation();
            Current seen = current;
            if (seen != null && seen.generation() == generation) {
                return seen.documents();
            }
            DiscoveryDocuments documents = SHARED.get(types(), DiscoveryDocuments::new);
            current = new Current(generation, documents);
            return documents;
        }
    }
}
