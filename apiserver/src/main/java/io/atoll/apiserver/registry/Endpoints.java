package io.atoll.apiserver.registry;

import io.atoll.model.GroupResource;
import io.atoll.model.GroupVersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What one cluster serves: the built-in endpoints, shared, and those of its CustomResourceDefinitions. Any thread;
 * readers see one immutable table.
 */
public final class Endpoints implements Resources {
    private record Key(String group, String version, String resource) {}

    private record Table(
            Map<Key, Endpoint> byResource,
            Map<GroupVersionKind, Endpoint> byKind,
            Map<String, List<String>> versions,
            List<ServedResource> all) {}

    private static final Table BUILT_IN = table(BuiltInEndpoints.ALL);

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Table custom = new Table(Map.of(), Map.of(), Map.of(), List.of());
    private volatile long generation = 1;

    public Optional<Endpoint> endpoint(String group, String version, String resource) {
        Key key = new Key(group, version, resource);
        Endpoint builtIn = BUILT_IN.byResource.get(key);
        return Optional.ofNullable(builtIn != null ? builtIn : custom.byResource.get(key));
    }

    public Optional<Endpoint> endpoint(GroupVersionKind kind) {
        Endpoint builtIn = BUILT_IN.byKind.get(kind);
        return Optional.ofNullable(builtIn != null ? builtIn : custom.byKind.get(kind));
    }

    /** The endpoint of a resource's preferred version. */
    public Optional<Endpoint> endpoint(GroupResource resource) {
        for (String version : versions(resource.group())) {
            Optional<Endpoint> found = endpoint(resource.group(), version, resource.resource());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Replaces all custom endpoints: preferred versions first. */
    public synchronized void replaceCustom(List<Endpoint> endpoints) {
        custom = table(endpoints);
        generation = generation + 1;
        listeners.forEach(Runnable::run);
    }

    @Override
    public List<ServedResource> all() {
        Table now = custom;
        List<ServedResource> all = new ArrayList<>(BUILT_IN.all.size() + now.all.size());
        all.addAll(BUILT_IN.all);
        all.addAll(now.all);
        return all;
    }

    @Override
    public Optional<ServedResource> find(String group, String version, String resource) {
        return endpoint(group, version, resource).map(Endpoint::served);
    }

    @Override
    public Optional<ServedResource> find(GroupVersionKind kind) {
        return endpoint(kind).map(Endpoint::served);
    }

    @Override
    public List<String> versions(String group) {
        List<String> builtIn = BUILT_IN.versions.getOrDefault(group, List.of());
        return builtIn.isEmpty() ? custom.versions.getOrDefault(group, List.of()) : builtIn;
    }

    @Override
    public long generation() {
        return generation;
    }

    @Override
    public Registration onChange(Runnable action) {
        listeners.add(action);
        return () -> listeners.remove(action);
    }

    private static Table table(List<Endpoint> endpoints) {
        Map<Key, Endpoint> byResource = new HashMap<>();
        Map<GroupVersionKind, Endpoint> byKind = new HashMap<>();
        Map<String, List<String>> versions = new HashMap<>();
        List<ServedResource> all = new ArrayList<>(endpoints.size());
        for (Endpoint endpoint : endpoints) {
            var type = endpoint.type();
            byResource.put(new Key(type.group(), type.version(), type.resource()), endpoint);
            byKind.putIfAbsent(type.groupVersionKind(), endpoint);
            List<String> known = versions.computeIfAbsent(type.group(), _ -> new ArrayList<>(2));
            if (!known.contains(type.version())) {
                known.add(type.version());
            }
            all.add(endpoint.served());
        }
        return new Table(byResource, byKind, versions, List.copyOf(all));
    }
}
