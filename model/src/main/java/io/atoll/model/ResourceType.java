package io.atoll.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One served resource at one version: what discovery says of it and how a client addresses it. Immutable.
 *
 * @param group the API group; empty for the core group
 * @param resource the plural resource name, e.g. {@code pods}
 * @param verbs in discovery's order; empty when not known
 * @param subresources sorted, by the name after the slash, e.g. {@code status}, {@code scale}, {@code log}
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
        List<String> verbs,
        Map<String, Subresource> subresources) {

    /** The verbs of a resource whose objects are stored. */
    public static final List<String> STORED_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    public ResourceType {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        verbs = List.copyOf(verbs);
        subresources = Collections.unmodifiableMap(new LinkedHashMap<>(subresources));
    }

    /** A type known by name alone, as a client needs it. */
    public static ResourceType of(String group, String version, String resource, String kind, boolean namespaced) {
        return new ResourceType(
                group,
                version,
                resource,
                kind.toLowerCase(Locale.ROOT),
                kind,
                namespaced,
                List.of(),
                List.of(),
                STORED_VERBS,
                Map.of());
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
