package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides which objects a controller owns: those it owns and still selects, and orphans that it selects, which it
 * takes. Those it owns and no longer selects it lets go. Any thread.
 */
final class Adoption {
    private final Client client;
    private final ResourceType type;
    private final OwnedObjects index;

    Adoption(Client client, ResourceType type, OwnedObjects index) {
        this.client = client;
        this.type = type;
        this.index = index;
    }

    /** What the owner controls after letting go and taking, as trees of the caller's own. */
    List<ObjectNode> claim(ResourceType ownerType, ObjectNode owner, LabelSelector selector) {
        List<ObjectNode> claimed = new ArrayList<>();
        for (StoredObject owned : index.ownedBy(Metadata.uid(owner))) {
            if (selector.matches(owned.metadata().labels())) {
                claimed.add(owned.tree());
            } else if (!Metadata.deleting(owner) && !owned.metadata().deleting()) {
                release(owned, Metadata.uid(owner));
            }
        }
        if (Metadata.deleting(owner)) {
            return claimed;
        }
        boolean confirmed = false;
        for (StoredObject orphan : index.orphans(Metadata.namespace(owner))) {
            if (orphan.metadata().deleting()
                    || !selector.matches(orphan.metadata().labels())) {
                continue;
            }
            if (!confirmed) {
                confirmStillThere(ownerType, owner);
                confirmed = true;
            }
            ObjectNode adopted = adopt(orphan, owner);
            if (adopted != null) {
                claimed.add(adopted);
            }
        }
        return claimed;
    }

    /** The cache may show an owner that has been deleted or made anew; such a one must not adopt. */
    private void confirmStillThere(ResourceType ownerType, ObjectNode owner) {
        ObjectNode live = client.get(ownerType, Metadata.namespace(owner), Metadata.name(owner));
        if (!Metadata.uid(live).equals(Metadata.uid(owner)) || Metadata.deleting(live)) {
            throw ApiException.conflict(ownerType.groupResource(), Metadata.name(owner), "it is being replaced");
        }
    }

    private @org.jspecify.annotations.Nullable ObjectNode adopt(StoredObject orphan, ObjectNode owner) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", orphan.metadata().uid());
        metadata.putArray("ownerReferences")
                .add(PodControl.controllerReference(owner).toTree());
        return patch(orphan, patch);
    }

    private void release(StoredObject owned, String ownerUid) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", owned.metadata().uid());
        metadata.putArray("ownerReferences").addObject().put("$patch", "delete").put("uid", ownerUid);
        patch(owned, patch);
    }

    /** Null when the object is gone or another one has its name. */
    private @org.jspecify.annotations.Nullable ObjectNode patch(StoredObject object, ObjectNode patch) {
        try {
            return client.patch(type, object.namespace(), object.name(), "", Client.PatchType.STRATEGIC, patch);
        } catch (ApiException e) {
            if (e.code() == 404 || e.code() == 422) {
                return null;
            }
            throw e;
        }
    }
}
