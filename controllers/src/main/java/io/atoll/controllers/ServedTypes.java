package io.atoll.controllers;

import io.atoll.client.Discovery;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The types that a server serves, as last asked. Any thread; the asking takes the instance's lock. */
final class ServedTypes {
    private record GroupKind(String group, String kind) {}

    private final Discovery discovery;
    private volatile Map<GroupKind, ResourceType> byKind = Map.of();

    ServedTypes(Discovery discovery) {
        this.discovery = discovery;
    }

    /** Asks again; the types whose objects can be listed, watched and deleted. */
    synchronized List<ResourceType> refresh() {
        List<ResourceType> types = discovery.served().preferred().stream()
                .filter(type -> type.verbs().containsAll(List.of("list", "watch", "delete")))
                .toList();
        byKind = types.stream()
                .collect(Collectors.toUnmodifiableMap(
                        type -> new GroupKind(type.group(), type.kind()), type -> type, (first, _) -> first));
        return types;
    }

    /** The type that an owner reference means, whatever version it names. */
    Optional<ResourceType> find(String apiVersion, String kind) {
        GroupVersionKind wanted = GroupVersionKind.of(apiVersion, kind);
        return Optional.ofNullable(byKind.get(new GroupKind(wanted.group(), kind)));
    }
}
