package io.atoll.syncer;

import io.atoll.model.ResourceType;
import io.atoll.reconcile.ObjectKey;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** How one kind of object goes to the host: the part of {@link ObjectSync} that differs by kind. Any thread. */
interface Translation {
    ResourceType type();

    /** What a tenant object is called on the host. */
    String hostName(ObjectKey key);

    /** The host object to be, or empty when this one does not belong there. */
    Optional<ObjectNode> toHost(ObjectNode tenantObject);

    /**
     * Lays what {@link #toHost} gave over the present host object.
     *
     * @return false when the host object has to be made anew
     */
    boolean update(ObjectNode hostObject, ObjectNode wanted);

    /** Carries the host's status back; nothing for most kinds. */
    default void toTenant(ObjectNode tenantObject, ObjectNode hostObject) {}
}
