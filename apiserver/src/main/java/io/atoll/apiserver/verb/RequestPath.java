package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.model.FieldSelector;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request's path, method and query name. Immutable.
 *
 * @param verb as authorization knows it: {@code get, list, watch, create, update, patch, delete, deletecollection}; for
 *     paths that are no resource the method in lower case
 * @param resource empty for paths that are no resource
 * @param name empty for a whole collection
 * @param rest what follows the subresource, as of {@code proxy}
 */
record RequestPath(
        String verb,
        String group,
        String version,
        String namespace,
        String resource,
        String name,
        String subresource,
        String rest) {

    static RequestPath of(ApiRequest request) {
        List<String> parts = List.of(request.path().split("/"));
        String root = parts.size() > 1 ? parts.get(1) : "";
        int start = root.equals("api") ? 3 : root.equals("apis") ? 4 : Integer.MAX_VALUE;
        if (parts.size() <= start) {
            return new RequestPath(lower(request.method()), "", "", "", "", "", "", "");
        }
        String group = root.equals("api") ? "" : parts.get(2);
        String version = parts.get(start - 1);
        List<String> steps = parts.subList(start, parts.size());
        boolean watch = isTrue(request.parameter("watch"));
        if (steps.getFirst().equals("watch") && steps.size() > 1) {
            watch = true;
            steps = steps.subList(1, steps.size());
        }
        String namespace = "";
        if (steps.getFirst().equals("namespaces") && steps.size() > 2 && !ofNamespaceItself(steps.get(2))) {
            namespace = steps.get(1);
            steps = steps.subList(2, steps.size());
        }
        String name = step(steps, 1);
        boolean collection = name.isEmpty();
        return new RequestPath(
                verb(request.method(), collection, watch),
                group,
                version,
                namespace,
                steps.getFirst(),
                name,
                step(steps, 2),
                steps.size() > 3 ? String.join("/", steps.subList(3, steps.size())) : "");
    }

    boolean isResource() {
        return !resource.isEmpty();
    }

    /**
     * The name that authorization sees: a list or watch of one name counts as a request on that name, so that a rule for
     * it can allow it.
     */
    String authorizedName(ApiRequest request) {
        String selector = request.parameter("fieldSelector");
        if (!name.isEmpty() || selector == null || !selector.contains("metadata.name") || verb.equals("create")) {
            return name;
        }
        for (FieldSelector.Requirement requirement :
                FieldSelector.parse(selector).requirements()) {
            if (requirement.field().equals("metadata.name") && requirement.equal()) {
                return requirement.value();
            }
        }
        return name;
    }

    /** The namespace that authorization sees: a Namespace object lies in itself. */
    String authorizedNamespace() {
        return group.isEmpty() && resource.equals("namespaces") ? name : namespace;
    }

    static boolean isTrue(@Nullable String text) {
        return text != null && (text.equals("true") || text.equals("1") || text.isEmpty());
    }

    private static boolean ofNamespaceItself(String step) {
        return step.equals("status") || step.equals("finalize");
    }

    private static String step(List<String> steps, int index) {
        return index < steps.size() ? steps.get(index) : "";
    }

    private static String verb(String method, boolean collection, boolean watch) {
        return switch (method) {
            case "POST" -> "create";
            case "GET", "HEAD" -> watch ? "watch" : collection ? "list" : "get";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> collection ? "deletecollection" : "delete";
            default -> lower(method);
        };
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
