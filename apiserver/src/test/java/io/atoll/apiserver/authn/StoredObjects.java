package io.atoll.apiserver.authn;

import io.atoll.apiserver.ObjectReader;
import io.atoll.model.GroupResource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Objects by resource, namespace and name. */
final class StoredObjects implements ObjectReader {
    private final Map<String, byte[]> objects = new HashMap<>();

    void put(String resource, String namespace, String name, String metadata) {
        String json = "{\"kind\":\"X\",\"apiVersion\":\"v1\",\"metadata\":{\"labels\":{\"uid\":\"no\"}," + metadata
                + "},\"spec\":{\"uid\":\"no\"}}";
        objects.put(resource + "/" + namespace + "/" + name, json.getBytes(UTF_8));
    }

    void remove(String resource, String namespace, String name) {
        objects.remove(resource + "/" + namespace + "/" + name);
    }

    @Override
    public Optional<byte[]> get(GroupResource resource, String namespace, String name) {
        return Optional.ofNullable(objects.get(resource.resource() + "/" + namespace + "/" + name));
    }

    @Override
    public List<byte[]> list(GroupResource resource, String namespace) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Registration subscribe(GroupResource resource, Listener listener) {
        throw new UnsupportedOperationException();
    }
}
