package io.atoll.apiserver.discovery;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.Subresource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** All discovery documents of one set of served types, each encoded when first asked for. Any thread. */
final class DiscoveryDocuments {
    private static final String JSON = "application/json";
    private static final List<String> OTHER_PATHS = List.of(
            "/.well-known/openid-configuration",
            "/apis",
            "/healthz",
            "/livez",
            "/openapi/v2",
            "/openapi/v3",
            "/openid/v1/jwks",
            "/readyz",
            "/version");

    /** Groups in order, each with its versions in order, each with its resources in order. */
    private final Map<String, Map<String, List<ResourceType>>> groups = new LinkedHashMap<>();

    private final Map<String, Document> documents = new ConcurrentHashMap<>();

    DiscoveryDocuments(List<ResourceType> types) {
        for (ResourceType type : types) {
            groups.computeIfAbsent(type.group(), key -> new LinkedHashMap<>())
                    .computeIfAbsent(type.version(), key -> new ArrayList<>())
                    .add(type);
        }
    }

    /**
     * The document that lists all groups' resources at once.
     *
     * @param core true for {@code /api}, false for {@code /apis}
     * @param version of the apidiscovery.k8s.io group
     */
    Document aggregated(boolean core, String version) {
        return cached("aggregated/" + core + "/" + version, () -> {
            ObjectNode list = Json.object();
            list.put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/" + version);
            list.putObject("metadata");
            ArrayNode items = list.putArray("items");
            groups.forEach((group, versions) -> {
                if (group.isEmpty() == core) {
                    items.add(aggregatedGroup(group, versions));
                }
            });
            return Document.json(
                    "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList", list);
        });
    }

    /** {@code /}. */
    Document paths() {
        return cached("paths", () -> {
            TreeSet<String> paths = new TreeSet<>(OTHER_PATHS);
            groups.forEach((group, versions) -> {
                String root = group.isEmpty() ? "/api" : "/apis/" + group;
                paths.add(root);
                versions.keySet().forEach(version -> paths.add(root + "/" + version));
            });
            ObjectNode document = Json.object();
            paths.forEach(document.putArray("paths")::add);
            return Document.json(JSON, document);
        });
    }

    /** {@code /apis}. */
    Document groupList() {
        return cached("groups", () -> {
            ObjectNode list = Json.object();
            list.put("kind", "APIGroupList").put("apiVersion", "v1");
            ArrayNode items = list.putArray("groups");
            groups.forEach((group, versions) -> {
                if (!group.isEmpty()) {
                    items.add(group(group, versions));
                }
            });
            return Document.json(JSON, list);
        });
    }

    /** {@code /apis/GROUP}. */
    Optional<Document> group(String group) {
        Map<String, List<ResourceType>> versions = groups.get(group);
        return versions == null || group.isEmpty()
                ? Optional.empty()
                : Optional.of(cached("group/" + group, () -> {
                    ObjectNode document = Json.object();
                    document.put("kind", "APIGroup").put("apiVersion", "v1");
                    document.setAll(group(group, versions));
                    return Document.json(JSON, document);
                }));
    }

    /** {@code /api/v1} and {@code /apis/GROUP/VERSION}. */
    Optional<Document> resources(String group, String version) {
        List<ResourceType> resources = groups.getOrDefault(group, Map.of()).get(version);
        return resources == null
                ? Optional.empty()
                : Optional.of(cached("resources/" + group + "/" + version, () -> {
                    ObjectNode list = Json.object();
                    list.put("kind", "APIResourceList");
                    if (!group.isEmpty()) {
                        list.put("apiVersion", "v1");
                    }
                    list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
                    ArrayNode items = list.putArray("resources");
                    resources.forEach(resource -> addLegacy(resource, items));
                    return Document.json(JSON, list);
                }));
    }

    private Document cached(String key, Supplier<Document> make) {
        return documents.computeIfAbsent(key, k -> make.get());
    }

    private static ObjectNode group(String name, Map<String, List<ResourceType>> versions) {
        ObjectNode group = Json.object();
        group.put("name", name);
        ArrayNode array = group.putArray("versions");
        versions.keySet().forEach(version -> array.add(groupVersion(name, version)));
        group.set(
                "preferredVersion",
                groupVersion(name, versions.keySet().iterator().next()));
        return group;
    }

    private static ObjectNode groupVersion(String group, String version) {
        return Json.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    private static void addLegacy(ResourceType type, ArrayNode items) {
        ObjectNode item = items.addObject()
                .put("name", type.resource())
                .put("singularName", type.singular())
                .put("namespaced", type.namespaced());
        item.put("kind", type.kind());
        putAll(item, "verbs", type.verbs());
        putUnlessEmpty(item, "shortNames", type.shortNames());
        putUnlessEmpty(item, "categories", type.categories());
        if (type.verbs().contains("list")) {
            item.put("storageVersionHash", storageVersionHash(type));
        }
        for (Subresource subresource : subresources(type)) {
            GroupVersionKind kind = subresource.kind();
            ObjectNode part = items.addObject()
                    .put("name", type.resource() + "/" + subresource.name())
                    .put("singularName", "")
                    .put("namespaced", type.namespaced());
            if (!kind.group().equals(type.group()) || !kind.version().equals(type.version())) {
                part.put("group", kind.group()).put("version", kind.version());
            }
            part.put("kind", kind.kind());
            putAll(part, "verbs", subresource.verbs());
        }
    }

    private static ObjectNode aggregatedGroup(String name, Map<String, List<ResourceType>> versions) {
        ObjectNode group = Json.object();
        ObjectNode metadata = group.putObject("metadata");
        if (!name.isEmpty()) {
            metadata.put("name", name);
        }
        metadata.putNull("creationTimestamp");
        ArrayNode array = group.putArray("versions");
        versions.forEach((version, resources) -> {
            ObjectNode item = array.addObject().put("version", version);
            ArrayNode list = item.putArray("resources");
            resources.forEach(resource -> list.add(aggregatedResource(resource)));
            item.put("freshness", "Current");
        });
        return group;
    }

    private static ObjectNode aggregatedResource(ResourceType type) {
        ObjectNode item = Json.object().put("resource", type.resource());
        item.set("responseKind", kind(type.groupVersionKind()));
        item.put("scope", type.namespaced() ? "Namespaced" : "Cluster").put("singularResource", type.singular());
        putAll(item, "verbs", type.verbs());
        putUnlessEmpty(item, "shortNames", type.shortNames());
        putUnlessEmpty(item, "categories", type.categories());
        if (!type.subresources().isEmpty()) {
            ArrayNode parts = item.putArray("subresources");
            for (Subresource subresource : subresources(type)) {
                ObjectNode part = parts.addObject().put("subresource", subresource.name());
                part.set("responseKind", kind(subresource.kind()));
                putAll(part, "verbs", subresource.verbs());
            }
        }
        return item;
    }

    private static List<Subresource> subresources(ResourceType type) {
        return type.subresources().values().stream()
                .sorted(Comparator.comparing(Subresource::name))
                .toList();
    }

    private static ObjectNode kind(GroupVersionKind kind) {
        return Json.object()
                .put("group", kind.group())
                .put("version", kind.version())
                .put("kind", kind.kind());
    }

    private static void putUnlessEmpty(ObjectNode object, String field, List<String> values) {
        if (!values.isEmpty()) {
            putAll(object, field, values);
        }
    }

    private static void putAll(ObjectNode object, String field, List<String> values) {
        values.forEach(object.putArray(field)::add);
    }

    /** Tells clients that move objects between storage versions which one is in use. */
    private static String storageVersionHash(ResourceType type) {
        String text = type.group() + "/" + type.version() + "/" + type.kind();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no SHA-256 in this JDK", e);
        }
    }
}
