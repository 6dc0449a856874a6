package io.atoll.apiserver.authz;

import io.atoll.apiserver.ObjectReader;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Roles and bindings in memory; tells its listeners of each one put. */
final class FixedObjects implements ObjectReader {
    private final Map<String, byte[]> objects = new LinkedHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();

    void put(ObjectNode object) {
        String resource = object.path("kind").asString().toLowerCase(Locale.ROOT) + "s";
        byte[] encoded = Json.encode(object);
        objects.put(resource + "/" + Metadata.namespace(object) + "/" + Metadata.name(object), encoded);
        listeners.forEach(listener -> listener.onAdded(encoded));
    }

    @Override
    public Optional<byte[]> get(GroupResource resource, String namespace, String name) {
        return Optional.ofNullable(objects.get(resource.resource() + "/" + namespace + "/" + name));
    }

    @Override
    public List<byte[]> list(GroupResource resource, String namespace) {
        String prefix = resource.resource() + "/" + (namespace.isEmpty() ? "" : namespace + "/");
        return objects.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .map(Map.Entry::getValue)
                .toList();
    }

    @Override
    public Registration subscribe(GroupResource resource, Listener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
