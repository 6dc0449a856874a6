package io.atoll.model.schema;

import io.atoll.model.GroupVersionKind;
import java.util.List;
import java.util.Optional;

/** The built-in types' schemas, each loaded when first asked for and then shared. Any thread. */
public final class Schemas {
    private Schemas() {}

    /** The schema of a built-in kind. */
    public static Optional<Schema> find(GroupVersionKind kind) {
        return Optional.empty();
    }

    /** A definition by its OpenAPI name, e.g. {@code io.k8s.api.core.v1.PodSpec}. */
    public static Optional<Schema> definition(String name) {
        return Optional.empty();
    }

    /** The OpenAPI name of a built-in kind, e.g. {@code io.k8s.api.core.v1.Pod}. */
    public static Optional<String> definitionName(GroupVersionKind kind) {
        return Optional.empty();
    }

    /** Every definition's name, sorted. */
    public static List<String> names() {
        return List.of();
    }
}
