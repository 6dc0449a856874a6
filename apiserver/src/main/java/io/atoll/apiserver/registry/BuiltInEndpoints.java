package io.atoll.apiserver.registry;

import io.atoll.apiserver.kind.Kinds;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Schemas;
import java.util.List;

/** The endpoints of the built-in types: made once in a process and shared by all clusters. Immutable. */
final class BuiltInEndpoints {
    static final List<Endpoint> ALL =
            BuiltInTypes.all().stream().map(BuiltInEndpoints::endpoint).toList();

    private BuiltInEndpoints() {}

    private static Endpoint endpoint(ResourceType type) {
        ServedResource served = new ServedResource(type, false, List.of(), () -> schema(type));
        return new Endpoint(
                served,
                Kinds.storedAs(type),
                Kinds.conversion(type),
                Kinds.strategy(type.groupResource()),
                Kinds.fields(type.groupResource()),
                ScalePaths.DEFAULT);
    }

    private static Schema schema(ResourceType type) {
        return Schemas.find(type.groupVersionKind())
                .orElseThrow(() -> new IllegalStateException("no schema of " + type.groupVersionKind()));
    }
}
