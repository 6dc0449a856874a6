package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Protobuf;
import io.atoll.model.StatusReason;
import io.atoll.model.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Reads request bodies in the media types that objects come in. Stateless. */
final class Bodies {
    private Bodies() {}

    /** Media type without parameters, in lower case; JSON when none is given. */
    static String mediaType(ApiRequest request) {
        String type = request.header("content-type", "");
        int semicolon = type.indexOf(';');
        String bare = (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
        return bare.isEmpty() ? "application/json" : bare.toLowerCase(Locale.ROOT);
    }

    /** The body as an object, with the paths of its duplicate fields. */
    static Json.Strict read(ApiRequest request) {
        if (request.body().length == 0) {
            throw ApiException.badRequest("the request body is empty");
        }
        return switch (mediaType(request)) {
            case "application/json" -> Json.parseStrict(request.body());
            case "application/yaml", "application/x-yaml", "text/yaml" ->
                new Json.Strict(Yaml.parse(new String(request.body(), StandardCharsets.UTF_8)), List.of());
            case "application/vnd.kubernetes.protobuf" -> new Json.Strict(Protobuf.decode(request.body()), List.of());
            default -> throw unsupported(request);
        };
    }

    /** The body as an object; an empty one when there is no body. */
    static ObjectNode readOptional(ApiRequest request) {
        return request.body().length == 0 ? Json.object() : read(request).tree();
    }

    static ApiException unsupported(ApiRequest request, String... accepted) {
        return new ApiException(
                StatusReason.UnsupportedMediaType,
                "the body of the request was in an unknown format - accepted media types include: "
                        + (accepted.length == 0
                                ? "application/json, application/yaml, application/vnd.kubernetes.protobuf"
                                : String.join(", ", accepted)));
    }
}
