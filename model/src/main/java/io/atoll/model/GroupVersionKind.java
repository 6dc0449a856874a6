package io.atoll.model;

import tools.jackson.databind.JsonNode;

/**
 * A kind with its API group and version. Immutable.
 *
 * @param group the API group; empty for the core group
 */
public record GroupVersionKind(String group, String version, String kind) {
    /** Splits an {@code apiVersion} such as {@code v1} or {@code apps/v1}. */
    public static GroupVersionKind of(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        return slash < 0
                ? new GroupVersionKind("", apiVersion, kind)
                : new GroupVersionKind(apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind);
    }

    /** Reads {@code apiVersion} and {@code kind} of an object; missing fields read as empty. */
    public static GroupVersionKind of(JsonNode object) {
        return of(object.path("apiVersion").asString(""), object.path("kind").asString(""));
    }

    /** The {@code apiVersion} field: {@code v1} or {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    @Override
    public String toString() {
        return apiVersion() + ", Kind=" + kind;
    }
}
