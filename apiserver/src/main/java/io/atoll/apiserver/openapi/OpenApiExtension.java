package io.atoll.apiserver.openapi;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.discovery.AcceptedType;
import io.atoll.apiserver.discovery.Document;
import io.atoll.apiserver.discovery.SharedDocuments;
import io.atoll.apiserver.openapi.ServedTypes.GroupVersionPath;
import io.atoll.apiserver.registry.ClusterContext;
import io.atoll.apiserver.registry.Extension;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.StatusReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /openapi/v2} and {@code /openapi/v3}. Documents are built when asked for, from the schema model and the stored
 * CustomResourceDefinitions, and shared by all clusters of the process that serve the same types. Any thread.
 */
public final class OpenApiExtension implements Extension {
    private static final int GROUP_VERSION_DOCUMENTS_MAX = 96;
    private static final int WHOLE_DOCUMENTS_MAX = 2;
    private static final String JSON = "application/json";
    private static final String GNOSTIC = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    private static final List<String> GNOSTIC_TYPES =
            List.of(GNOSTIC, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf");
    private static final String V3_ROOT = "/openapi/v3";
    private static final Map<String, String> FOR_A_YEAR =
            Map.of("Cache-Control", "public, max-age=31536000, immutable");

    private static final SharedDocuments<ServedTypes, String> HASHES =
            new SharedDocuments<>(GROUP_VERSION_DOCUMENTS_MAX * 4);
    private static final SharedDocuments<ServedTypes, byte[]> GROUP_VERSIONS =
            new SharedDocuments<>(GROUP_VERSION_DOCUMENTS_MAX);
    private static final SharedDocuments<ServedTypes, Document> WHOLE = new SharedDocuments<>(WHOLE_DOCUMENTS_MAX);
    private static final SharedDocuments<ServedTypes, Document> WHOLE_IN_PROTOBUF =
            new SharedDocuments<>(WHOLE_DOCUMENTS_MAX);

    @Override
    public void install(ClusterContext cluster, Registrar registrar) {
        registrar.path("/openapi", request -> handle(cluster, request));
    }

    private ApiResponse handle(ClusterContext cluster, ApiRequest request) {
        ServedTypes types = ServedTypes.of(cluster.resources().all(), cluster.objects());
        String path = request.path();
        if (path.equals("/openapi/v2")) {
            return v2(types, request);
        }
        if (path.equals(V3_ROOT) || path.equals(V3_ROOT + "/")) {
            return index(types).answer(request, Map.of());
        }
        if (path.startsWith(V3_ROOT + "/")) {
            return v3(types, path.substring(V3_ROOT.length() + 1), request);
        }
        return Document.notFound();
    }

    private ApiResponse v2(ServedTypes types, ApiRequest request) {
        for (AcceptedType type : AcceptedType.parse(request.header("accept", ""))) {
            if (GNOSTIC_TYPES.contains(type.type())) {
                return WHOLE_IN_PROTOBUF
                        .get(
                                types,
                                key -> Document.of(
                                        GNOSTIC, GnosticDocument.encode(OpenApiDocument.build(Dialect.V2, key))))
                        .answer(request, Map.of());
            }
            if (type.takesJson()) {
                return WHOLE.get(types, key -> Document.json(JSON, OpenApiDocument.build(Dialect.V2, key)))
                        .answer(request, Map.of());
            }
        }
        throw notAcceptable(List.of(JSON, GNOSTIC));
    }

    private Document index(ServedTypes types) {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        for (GroupVersionPath path : types.groupVersions()) {
            String hash = hash(types.of(path.group(), path.version()));
            paths.putObject(path.toString()).put("serverRelativeURL", V3_ROOT + "/" + path + "?hash=" + hash);
        }
        return Document.json(JSON, index);
    }

    private ApiResponse v3(ServedTypes types, String path, ApiRequest request) {
        Optional<GroupVersionPath> asked = types.groupVersions().stream()
                .filter(known -> known.toString().equals(path))
                .findFirst();
        if (asked.isEmpty()) {
            return Document.notFound();
        }
        if (AcceptedType.parse(request.header("accept", "")).stream().noneMatch(AcceptedType::takesJson)) {
            throw notAcceptable(List.of(JSON));
        }
        ServedTypes some = types.of(asked.get().group(), asked.get().version());
        String hash = hash(some);
        String wanted = request.parameter("hash");
        if (wanted != null && !wanted.equals(hash)) {
            return new ApiResponse.Full(
                    301, "text/plain", Map.of("Location", V3_ROOT + "/" + path + "?hash=" + hash), List.of());
        }
        byte[] body = GROUP_VERSIONS.get(some, key -> Json.encode(OpenApiDocument.build(Dialect.V3, key)));
        Map<String, String> headers = wanted == null ? Map.of("Cache-Control", "no-cache") : FOR_A_YEAR;
        return new Document(JSON, body, hash).answer(request, headers);
    }

    /** Of what the document depends on, so that the index can be answered without building every document. */
    private String hash(ServedTypes types) {
        return HASHES.get(types, key -> Document.hash(key.fingerprint()));
    }

    private static ApiException notAcceptable(List<String> types) {
        return new ApiException(
                StatusReason.NotAcceptable, "only the following media types are accepted: " + String.join(", ", types));
    }
}
