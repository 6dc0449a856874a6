package io.atoll.apiserver.openapi;

import io.atoll.apiserver.ObjectReader;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.model.GroupResource;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What documents are made of, and all that they depend on: equal ones give equal documents, so they are shared by it.
 * Immutable.
 *
 * @param schemas of custom resources' kinds, encoded; a kind that has none here is built in
 */
record ServedTypes(List<ResourceType> resources, Map<GroupVersionKind, String> schemas) {
    private static final GroupResource CRDS = new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

    ServedTypes {
        resources = List.copyOf(resources);
        schemas = Map.copyOf(schemas);
    }

    static ServedTypes of(List<ServedResource> resources, ObjectReader objects) {
        Map<GroupVersionKind, String> schemas = new HashMap<>();
        if (resources.stream().anyMatch(ServedResource::custom)) {
            for (byte[] crd : objects.list(CRDS, "")) {
                addSchemas(Json.parse(crd), schemas);
            }
        }
        return new ServedTypes(resources.stream().map(ServedResource::type).toList(), schemas);
    }

    private static void addSchemas(ObjectNode crd, Map<GroupVersionKind, String> schemas) {
        JsonNode spec = crd.path("spec");
        for (JsonNode version : spec.path("versions")) {
            GroupVersionKind kind = new GroupVersionKind(
                    spec.path("group").asString(""),
                    version.path("name").asString(""),
                    spec.path("names").path("kind").asString(""));
            JsonNode schema = version.path("schema").path("openAPIV3Schema");
            schemas.put(kind, schema.isObject() ? Json.encodeToString(schema) : "{}");
        }
    }

    /** Those of one group and version. */
    ServedTypes of(String group, String version) {
        List<ResourceType> some = resources.stream()
                .filter(type -> type.group().equals(group) && type.version().equals(version))
                .toList();
        Map<GroupVersionKind, String> theirs = new HashMap<>();
        schemas.forEach((kind, schema) -> {
            if (kind.group().equals(group) && kind.version().equals(version)) {
                theirs.put(kind, schema);
            }
        });
        return new ServedTypes(some, theirs);
    }

    /** The path of each group version: {@code api/v1}, {@code apis/apps/v1}. */
    List<GroupVersionPath> groupVersions() {
        List<GroupVersionPath> paths = new ArrayList<>();
        for (ResourceType type : resources) {
            GroupVersionPath path = new GroupVersionPath(type.group(), type.version());
            if (!paths.contains(path)) {
                paths.add(path);
            }
        }
        return paths;
    }

    boolean isCustom(ResourceType type) {
        return schemas.containsKey(type.groupVersionKind());
    }

    JsonNode schema(GroupVersionKind kind) {
        return Json.parse(schemas.getOrDefault(kind, "{}"));
    }

    /** Bytes that differ whenever documents would. */
    byte[] fingerprint() {
        StringBuilder text = new StringBuilder();
        resources.forEach(type -> text.append(type).append('\n'));
        schemas.keySet().stream()
                .sorted(Comparator.comparing(GroupVersionKind::toString))
                .forEach(kind -> text.append(kind).append(schemas.get(kind)).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** A group version as its path. */
    record GroupVersionPath(String group, String version) {
        @Override
        public String toString() {
            return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
        }
    }
}
