package io.atoll.apiserver.openapi;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.Subresource;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.model.schema.Schemas;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The paths of resources and what can be done on them. Confined to one thread. */
final class Operations {
    private static final String DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
    private static final String PATCH = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
    private static final String STATUS = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
    private static final List<String> CONNECTING = List.of("attach", "exec", "portforward", "proxy");

    /** What custom resources take: their schemas have no patch strategies. kubectl chooses its patch by this list. */
    private static final List<String> CUSTOM_PATCH_TYPES =
            List.of("application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json");

    private static final List<String> PATCH_TYPES = List.of(
            "application/apply-patch+yaml",
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json");

    private final Dialect dialect;
    private final SchemaWriter writer;
    private final ObjectNode paths;

    /** A verb with the method that carries it. */
    private record Verb(String name, String method, String action, String prefix) {}

    private static final List<Verb> COLLECTION = List.of(
            new Verb("list", "get", "list", "list"),
            new Verb("create", "post", "post", "create"),
            new Verb("deletecollection", "delete", "deletecollection", "deleteCollection"));
    private static final List<Verb> ITEM = List.of(
            new Verb("get", "get", "get", "read"),
            new Verb("update", "put", "put", "replace"),
            new Verb("patch", "patch", "patch", "patch"),
            new Verb("create", "post", "post", "create"),
            new Verb("delete", "delete", "delete", "delete"));

    Operations(Dialect dialect, SchemaWriter writer, ObjectNode paths) {
        this.dialect = dialect;
        this.writer = writer;
        this.paths = paths;
    }

    void add(ResourceType type) {
        String root = type.group().isEmpty() ? "/api/" + type.version() : "/apis/" + type.apiVersion();
        String collection = root + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.resource();
        GroupVersionKind kind = type.groupVersionKind();
        for (Verb verb : COLLECTION) {
            if (type.verbs().contains(verb.name())) {
                put(collection, type, verb, kind, "", type.namespaced());
            }
        }
        if (type.namespaced() && type.verbs().contains("list")) {
            put(root + "/" + type.resource(), type, COLLECTION.getFirst(), kind, "ForAllNamespaces", false);
        }
        String item = collection + "/{name}";
        for (Verb verb : ITEM) {
            if (!verb.name().equals("create") && type.verbs().contains(verb.name())) {
                put(item, type, verb, kind, "", type.namespaced());
            }
        }
        for (Subresource subresource : type.subresources().values()) {
            for (Verb verb : ITEM) {
                if (subresource.verbs().contains(verb.name())) {
                    Verb connected = CONNECTING.contains(subresource.name())
                            ? new Verb(verb.name(), verb.method(), "connect", "connect" + capital(verb.method()))
                            : verb;
                    String suffix = capital(subresource.name());
                    put(
                            item + "/" + subresource.name(),
                            type,
                            connected,
                            subresource.kind(),
                            suffix,
                            type.namespaced());
                }
            }
        }
    }

    private void put(
            String path, ResourceType type, Verb verb, GroupVersionKind kind, String suffix, boolean inNamespace) {
        ObjectNode pathItem = Json.child(paths, path);
        if (!pathItem.has("parameters")) {
            pathItem.set("parameters", pathParameters(path));
        }
        ObjectNode operation = pathItem.putObject(verb.method());
        operation.putArray("tags").add(tag(type));
        operation.put(
                "operationId",
                verb.prefix()
                        + groupName(type)
                        + capital(type.version())
                        + (inNamespace ? "Namespaced" : "")
                        + type.kind()
                        + suffix);
        operation.set("parameters", queryParameters(verb));
        Optional<String> definition = definition(type, kind);
        putBody(operation, type, verb, definition);
        putResponses(operation, verb, definition, kind);
        operation.put("x-kubernetes-action", verb.action());
        operation.set("x-kubernetes-group-version-kind", CustomDefinition.kind(kind));
    }

    private static Optional<String> definition(ResourceType type, GroupVersionKind kind) {
        Optional<String> builtIn = Schemas.definitionName(kind);
        boolean own = kind.equals(type.groupVersionKind());
        return builtIn.isEmpty() && own ? Optional.of(CustomDefinition.name(kind)) : builtIn;
    }

    private ArrayNode pathParameters(String path) {
        ArrayNode parameters = Json.array();
        if (path.contains("{name}")) {
            parameters.add(parameter("name", "path", "string", "name of the object"));
        }
        if (path.contains("{namespace}")) {
            parameters.add(parameter("namespace", "path", "string", "namespace of the object"));
        }
        parameters.add(parameter("pretty", "query", "string", "'true' indents the answer"));
        return parameters;
    }

    private ArrayNode queryParameters(Verb verb) {
        ArrayNode parameters = Json.array();
        boolean writes = List.of("post", "put", "patch").contains(verb.action());
        boolean selects = verb.action().equals("list") || verb.action().equals("deletecollection");
        if (selects) {
            parameters.add(parameter("labelSelector", "query", "string", "selects objects by their labels"));
            parameters.add(parameter("fieldSelector", "query", "string", "selects objects by their fields"));
            parameters.add(parameter("limit", "query", "integer", "how many objects to answer with at most"));
            parameters.add(parameter("continue", "query", "string", "token of the page before"));
            parameters.add(parameter("resourceVersion", "query", "string", "how fresh the answer must be"));
            parameters.add(parameter("resourceVersionMatch", "query", "string", "how resourceVersion is meant"));
            parameters.add(
                    parameter("sendInitialEvents", "query", "boolean", "whether a watch starts with what is there"));
            parameters.add(parameter("timeoutSeconds", "query", "integer", "how long the call may take"));
        }
        if (verb.action().equals("list")) {
            parameters.add(parameter("watch", "query", "boolean", "whether to follow changes"));
            parameters.add(
                    parameter("allowWatchBookmarks", "query", "boolean", "whether the watch may send bookmarks"));
        }
        if (writes || verb.action().startsWith("delete")) {
            parameters.add(parameter("dryRun", "query", "string", "'All' checks without storing"));
        }
        if (writes) {
            parameters.add(parameter("fieldManager", "query", "string", "who makes the change"));
            parameters.add(parameter("fieldValidation", "query", "string", "Ignore, Warn or Strict"));
        }
        if (verb.action().equals("patch")) {
            parameters.add(parameter("force", "query", "boolean", "whether apply takes fields from other managers"));
        }
        if (verb.action().startsWith("delete")) {
            parameters.add(parameter("gracePeriodSeconds", "query", "integer", "how long the object may take to end"));
            parameters.add(
                    parameter("propagationPolicy", "query", "string", "what becomes of the object's dependents"));
            parameters.add(parameter("orphanDependents", "query", "boolean", "superseded by propagationPolicy"));
        }
        return parameters;
    }

    private ObjectNode parameter(String name, String in, String type, String description) {
        ObjectNode parameter = Json.object().put("name", name).put("in", in).put("description", description);
        if (in.equals("path")) {
            parameter.put("required", true);
        }
        if (dialect == Dialect.V2) {
            parameter.put("type", type).put("uniqueItems", true);
        } else {
            parameter.putObject("schema").put("type", type).put("uniqueItems", true);
        }
        return parameter;
    }

    private void putBody(ObjectNode operation, ResourceType type, Verb verb, Optional<String> definition) {
        Optional<String> body = switch (verb.action()) {
            case "post", "put" -> definition;
            case "patch" -> Optional.of(PATCH);
            case "delete", "deletecollection" -> Optional.of(DELETE_OPTIONS);
            default -> Optional.empty();
        };
        if (body.isEmpty()) {
            return;
        }
        List<String> types = verb.action().equals("patch") ? patchTypes(type) : List.of("*/*");
        if (dialect == Dialect.V2) {
            types.forEach(operation.putArray("consumes")::add);
            ObjectNode parameter = Json.object().put("name", "body").put("in", "body");
            parameter.put("required", !verb.action().startsWith("delete"));
            parameter.set("schema", writer.reference(body.get()));
            operation.withArray("parameters").insert(0, parameter);
            return;
        }
        ObjectNode content = operation.putObject("requestBody").putObject("content");
        types.forEach(mediaType -> content.putObject(mediaType).set("schema", writer.reference(body.get())));
    }

    private static List<String> patchTypes(ResourceType type) {
        boolean builtIn =
                BuiltInTypes.find(type.group(), type.version(), type.resource()).isPresent();
        return builtIn ? PATCH_TYPES : CUSTOM_PATCH_TYPES;
    }

    private void putResponses(ObjectNode operation, Verb verb, Optional<String> definition, GroupVersionKind kind) {
        ObjectNode responses = operation.putObject("responses");
        Optional<String> answer = switch (verb.action()) {
            case "list" -> definition.map(name -> listName(name, kind));
            case "delete", "deletecollection" -> Optional.of(STATUS);
            case "connect" -> Optional.empty();
            default -> definition;
        };
        putResponse(responses, "200", "OK", answer);
        if (verb.action().equals("post")
                || verb.action().equals("put")
                || verb.action().equals("patch")) {
            putResponse(responses, "201", "Created", answer);
        }
        responses.putObject("401").put("description", "Unauthorized");
    }

    private static String listName(String name, GroupVersionKind kind) {
        return Schemas.definitionName(new GroupVersionKind(kind.group(), kind.version(), kind.kind() + "List"))
                .orElse(name + "List");
    }

    private void putResponse(ObjectNode responses, String code, String text, Optional<String> answer) {
        ObjectNode response = responses.putObject(code).put("description", text);
        if (answer.isEmpty()) {
            return;
        }
        if (dialect == Dialect.V2) {
            response.set("schema", writer.reference(answer.get()));
        } else {
            response.putObject("content").putObject("application/json").set("schema", writer.reference(answer.get()));
        }
    }

    private static String tag(ResourceType type) {
        String group = groupName(type);
        return group.substring(0, 1).toLowerCase(Locale.ROOT) + group.substring(1) + "_" + type.version();
    }

    /** {@code RbacAuthorization} for {@code rbac.authorization.k8s.io}. */
    private static String groupName(ResourceType type) {
        if (type.group().isEmpty()) {
            return "Core";
        }
        String group = type.group().endsWith(".k8s.io")
                ? type.group().substring(0, type.group().length() - ".k8s.io".length())
                : type.group();
        StringBuilder name = new StringBuilder();
        for (String part : group.split("[.-]", -1)) {
            name.append(capital(part));
        }
        return name.toString();
    }

    private static String capital(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
