package io.atoll.apiserver.registry;

import io.atoll.apiserver.registry.Traits.Trait;
import io.atoll.model.patch.FieldSet;
import io.atoll.model.patch.ServerSideApply;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Schemas;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Keeps {@code metadata.managedFields}: who set which field. Stateless. */
public final class FieldOwners {
    private static final FieldSet STATUS = FieldSet.of("status");
    private static final FieldSet ALL_BUT_STATUS = FieldSet.of("spec");

    private FieldOwners() {}

    /** Notes what a write that is no server-side apply changed. */
    static void track(Write write, @Nullable ObjectNode before, ObjectNode object) {
        if (!write.ownersSet()) {
            Endpoint endpoint = write.endpoint();
            ServerSideApply.track(
                    storedSchema(endpoint),
                    before,
                    object,
                    of(write, endpoint.storage().apiVersion()));
        }
    }

    /** How a server-side apply in the served version counts. */
    public static ServerSideApply.Write applying(Write write) {
        return of(write, write.endpoint().type().apiVersion());
    }

    private static ServerSideApply.Write of(Write write, String apiVersion) {
        Endpoint endpoint = write.endpoint();
        FieldSet ignored = write.subresource().equals("status")
                ? ALL_BUT_STATUS
                : endpoint.hasStatus() && !endpoint.strategy().traits().has(Trait.KEEPS_STATUS)
                        ? STATUS
                        : FieldSet.EMPTY;
        return new ServerSideApply.Write(
                write.fieldManager(),
                apiVersion,
                write.subresource(),
                ignored,
                write.registry().timers().instant());
    }

    private static Schema storedSchema(Endpoint endpoint) {
        if (endpoint.served().custom() || endpoint.storage().equals(endpoint.type())) {
            return endpoint.served().schema();
        }
        return Schemas.find(endpoint.storage().groupVersionKind()).orElseThrow();
    }
}
