package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.Views;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Protobuf;
import io.atoll.model.StatusObject;
import io.atoll.model.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers in the form that the client asked for. Objects pass through as bytes whenever nobody needs their tree. */
final class Responses {
    private static final byte[] COMMA = ",".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LIST_END = "]}\n".getBytes(StandardCharsets.UTF_8);

    private Responses() {}

    /** One stored object. */
    static ApiResponse object(Call call, int status, CachedObject object) {
        byte[] json = call.endpoint().conversion().encode(object);
        return switch (call.output().view()) {
            case OBJECT ->
                call.output().format() == Output.Format.JSON
                        ? full(call, status, List.of(json))
                        : tree(call, status, Json.parse(json));
            case TABLE -> {
                ObjectNode table = views(call).table(call.endpoint().served(), List.of(json), tableOptions(call, true));
                Metadata.setResourceVersion(table, Long.toString(object.revision()));
                yield tree(call, status, table);
            }
            case PARTIAL -> tree(call, status, views(call).partial(json));
        };
    }

    /** A page of objects. */
    static ApiResponse list(Call call, ListPage page) {
        List<byte[]> items = new ArrayList<>(page.objects().size());
        for (CachedObject object : page.objects()) {
            items.add(call.endpoint().conversion().encode(object));
        }
        return switch (call.output().view()) {
            case OBJECT -> objects(call, page, items);
            case TABLE -> {
                ObjectNode table = views(call).table(call.endpoint().served(), items, tableOptions(call, true));
                table.set("metadata", page.metadata());
                yield tree(call, 200, table);
            }
            case PARTIAL -> {
                ObjectNode list = Json.object();
                list.put("kind", "PartialObjectMetadataList").put("apiVersion", "meta.k8s.io/v1");
                list.set("metadata", page.metadata());
                ArrayNode partials = list.putArray("items");
                items.forEach(item -> partials.add(views(call).partial(item)));
                yield tree(call, 200, list);
            }
        };
    }

    /** Splices the encoded objects between head and tail. */
    private static ApiResponse objects(Call call, ListPage page, List<byte[]> items) {
        String kind = call.endpoint().type().kind() + "List";
        String apiVersion = call.endpoint().type().apiVersion();
        if (call.output().format() != Output.Format.JSON) {
            ObjectNode list = Json.object();
            list.put("kind", kind).put("apiVersion", apiVersion);
            list.set("metadata", page.metadata());
            ArrayNode array = list.putArray("items");
            items.forEach(item -> array.add(Json.parse(item)));
            return tree(call, 200, list);
        }
        List<byte[]> segments = new ArrayList<>(2 * items.size() + 2);
        segments.add(("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",\"metadata\":"
                        + Json.encodeToString(page.metadata()) + ",\"items\":[")
                .getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                segments.add(COMMA);
            }
            segments.add(items.get(i));
        }
        segments.add(LIST_END);
        return full(call, 200, segments);
    }

    /** Anything that is a tree: a Scale, a Table, a review. */
    static ApiResponse tree(Call call, int status, ObjectNode tree) {
        return full(call, status, List.of(encode(call.output().format(), tree)));
    }

    /** A failure. */
    static ApiResponse failure(ApiException e, Output.Format format, List<String> warnings) {
        byte[] body = encode(format, StatusObject.of(e));
        Map<String, String> headers = warningHeaders(warnings);
        ApiException.Details details = e.details();
        if (details != null && details.retryAfterSeconds() > 0) {
            headers.put("Retry-After", Integer.toString(details.retryAfterSeconds()));
        }
        return new ApiResponse.Full(e.code(), format.contentType(), headers, List.of(body));
    }

    static Views views(Call call) {
        return call.parts().views().orElseThrow();
    }

    static Views.TableOptions tableOptions(Call call, boolean headers) {
        Views.IncludeObject include = switch (call.parameter("includeObject")) {
            case "None" -> Views.IncludeObject.NONE;
            case "Object" -> Views.IncludeObject.OBJECT;
            default -> Views.IncludeObject.METADATA;
        };
        return new Views.TableOptions(include, headers);
    }

    static byte[] encode(Output.Format format, ObjectNode tree) {
        return switch (format) {
            case JSON -> Json.encode(tree);
            case YAML -> Yaml.encode(tree).getBytes(StandardCharsets.UTF_8);
            case PROTOBUF -> Protobuf.encode(tree);
        };
    }

    private static ApiResponse full(Call call, int status, List<byte[]> segments) {
        return new ApiResponse.Full(
                status, call.output().format().contentType(), warningHeaders(call.warnings()), segments);
    }

    private static Map<String, String> warningHeaders(List<String> warnings) {
        Map<String, String> headers = new LinkedHashMap<>(2);
        if (!warnings.isEmpty()) {
            headers.put(
                    "Warning",
                    String.join(
                            ", ",
                            warnings.stream()
                                    .map(text -> "299 - \""
                                            + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                                    .toList()));
        }
        return headers;
    }
}
