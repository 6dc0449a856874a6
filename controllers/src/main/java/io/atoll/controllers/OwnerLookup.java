package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.client.StoredObject;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.ResourceType;
import java.util.List;
import java.util.Optional;

/** Says whether owners exist. What the cache does not show, the server is asked for. Any thread. */
final class OwnerLookup {
    static final String FOREGROUND = "foregroundDeletion";

    /** What an owner reference comes to. */
    enum State {
        /** It exists and keeps what it owns. */
        SOLID,
        /** It does not exist, or another object has its name. */
        ABSENT,
        /** It waits for what it owns to be deleted. */
        WAITING,
        /** Its kind is not served, as far as is known. */
        UNKNOWN,
        /** A cluster-scoped object must not name a namespaced owner. */
        INVALID
    }

    private final Client client;
    private final ObjectCache cache;
    private final ServedTypes types;

    OwnerLookup(Client client, ObjectCache cache, ServedTypes types) {
        this.client = client;
        this.cache = cache;
        this.types = types;
    }

    State state(String dependentNamespace, OwnerReference owner) {
        Optional<ResourceType> type = types.find(owner.apiVersion(), owner.kind());
        if (type.isEmpty()) {
            types.refresh();
            type = types.find(owner.apiVersion(), owner.kind());
        }
        if (type.isEmpty()) {
            return State.UNKNOWN;
        }
        if (type.get().namespaced() && dependentNamespace.isEmpty()) {
            return State.INVALID;
        }
        return state(type.get(), type.get().namespaced() ? dependentNamespace : "", owner);
    }

    private State state(ResourceType type, String namespace, OwnerReference owner) {
        Optional<StoredObject> cached = cache.get(type, namespace, owner.name());
        if (cached.isPresent() && cached.get().metadata().uid().equals(owner.uid())) {
            return state(
                    cached.get().metadata().deleting(), cached.get().metadata().finalizers());
        }
        return client.find(type, namespace, owner.name())
                .filter(live -> Metadata.uid(live).equals(owner.uid()))
                .map(live -> state(Metadata.deleting(live), Metadata.finalizers(live)))
                .orElse(State.ABSENT);
    }

    private static State state(boolean deleting, List<String> finalizers) {
        return deleting && finalizers.contains(FOREGROUND) ? State.WAITING : State.SOLID;
    }
}
