package io.atoll.client;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a server says that it serves. Immutable; any thread. */
public final class Discovery {
    private static final byte[] NO_BODY = {};

    private final Client client;

    public Discovery(Client client) {
        this.client = client;
    }

    /**
     * What a server serves.
     *
     * @param preferred each resource once, at its group's preferred version where that has it; without subresources
     * @param failedGroupVersions served by something that did not answer
     */
    public record Served(List<ResourceType> preferred, List<String> failedGroupVersions) {
        public Served {
            preferred = List.copyOf(preferred);
            failedGroupVersions = List.copyOf(failedGroupVersions);
        }
    }

    /** Asks the server, now. */
    public Served served() {
        List<ResourceType> types = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        addResources("/api/v1", "", "v1", types, failed);
        for (JsonNode group : read("/apis").path("groups")) {
            String name = group.path("name").asString("");
            String preferred = group.path("preferredVersion").path("version").asString("");
            addResources("/apis/" + name + "/" + preferred, name, preferred, types, failed);
            for (JsonNode version : group.path("versions")) {
                String other = version.path("version").asString("");
                if (!other.equals(preferred)) {
                    addResources("/apis/" + name + "/" + other, name, other, types, failed);
                }
            }
        }
        return new Served(types, failed);
    }

    private void addResources(
            String path, String group, String version, List<ResourceType> types, List<String> failed) {
        ObjectNode list;
        try {
            list = read(path);
        } catch (ApiException e) {
            failed.add(group.isEmpty() ? version : group + "/" + version);
            return;
        }
        for (JsonNode resource : list.path("resources")) {
            String name = resource.path("name").asString("");
            boolean known = types.stream()
                    .anyMatch(type ->
                            type.group().equals(group) && type.resource().equals(name));
            if (name.indexOf('/') < 0 && !known) {
                types.add(type(group, version, resource));
            }
        }
    }

    private static ResourceType type(String group, String version, JsonNode resource) {
        String kind = resource.path("kind").asString("");
        String singular = resource.path("singularName").asString("");
        List<String> verbs = strings(resource.path("verbs"));
        Optional<ResourceType> builtIn =
                BuiltInTypes.find(group, version, resource.path("name").asString(""));
        if (builtIn.isPresent() && builtIn.get().verbs().equals(verbs)) {
            // One object for all the clusters that a process talks to.
            return builtIn.get();
        }
        return new ResourceType(
                group,
                version,
                resource.path("name").asString(""),
                singular.isEmpty() ? kind.toLowerCase(Locale.ROOT) : singular,
                kind,
                resource.path("namespaced").asBoolean(false),
                strings(resource.path("shortNames")),
                strings(resource.path("categories")),
                verbs,
                Map.of());
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(item -> strings.add(item.asString("")));
        return strings;
    }

    private ObjectNode read(String path) {
        return Json.parse(client.raw("GET", path, NO_BODY));
    }
}
