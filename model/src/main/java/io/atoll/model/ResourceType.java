package io.atoll.model;

import java.util.List;
import java.util.Set;

/**
 * One served resource at one version: what discovery says of it and how a client addresses it. Immutable.
 *
 * @param group the API group; empty for the core group
 * @param resource the plural resource name, e.g. {@code pods}
 * @param subresources names after the slash, e.g. {@code status}, {@code scale}, {@code log}
 */
public record ResourceType(
        String group,
        String version,
        String resource,
        String singular,
        String kind,
        boolean namespaced,
        List<String> shortNames,
        List<String> categories,
        Set<String> subresources) {

    public ResourceType {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        subresources = Set.copyOf(subresources);
    }

    /** A type known by name alone, as a client needs it. */
    public static ResourceType of(String group, String version, String resource, String kind, boolean namespaced) {
        return new ResourceType(
                group,
                version,
                resource,
                kind.toLowerCase(java.util.Locale.ROOT),
                kind,
                namespaced,
                List.of(),
                List.of(),
                Set.of());
    }

    public GroupResource groupResource() {
        return new GroupResource(group, resource);
    }

    public GroupVersionKind groupVersionKind() {
        return new GroupVersionKind(group, version, kind);
    }

    /** The {@code apiVersion} field of its objects. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
