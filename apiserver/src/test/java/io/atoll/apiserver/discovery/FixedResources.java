package io.atoll.apiserver.discovery;

import io.atoll.apiserver.registry.Resources;
import io.atoll.apiserver.registry.ServedResource;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.ResourceType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A set of types that does not change by itself. */
public final class FixedResources implements Resources {
    private volatile List<ServedResource> all;
    private final AtomicLong generation = new AtomicLong();

    public FixedResources(List<ServedResource> all) {
        this.all = all;
    }

    /** A stored type without subresources. */
    public static ServedResource served(ResourceType type, boolean custom) {
        return new ServedResource(
                type,
                custom,
                List.of(),
                () -> io.atoll.model.schema.Schema.builder(io.atoll.model.schema.Schema.Type.OBJECT)
                        .build());
    }

    void set(List<ServedResource> other) {
        all = other;
        generation.incrementAndGet();
    }

    @Override
    public List<ServedResource> all() {
        return all;
    }

    @Override
    public Optional<ServedResource> find(String group, String version, String resource) {
        return all.stream()
                .filter(served -> served.type().group().equals(group)
                        && served.type().version().equals(version)
                        && served.type().resource().equals(resource))
                .findFirst();
    }

    @Override
    public Optional<ServedResource> find(GroupVersionKind kind) {
        return all.stream()
                .filter(served -> served.type().groupVersionKind().equals(kind))
                .findFirst();
    }

    @Override
    public List<String> versions(String group) {
        return all.stream()
                .filter(served -> served.type().group().equals(group))
                .map(served -> served.type().version())
                .distinct()
                .toList();
    }

    @Override
    public long generation() {
        return generation.get();
    }

    @Override
    public Registration onChange(Runnable action) {
        return () -> {};
    }
}
