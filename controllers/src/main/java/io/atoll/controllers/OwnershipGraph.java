package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.ResourceType;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who depends on whom. Any thread; guarded by the instance's lock.
 *
 * <p>Holds only objects that have owners, by uid: whether an owner exists is the cache's to say, so objects that
 * nobody owns cost nothing here.
 */
final class OwnershipGraph {
    /** An object that has owners. Immutable. */
    record Dependent(ResourceType type, String namespace, String name, String uid, List<OwnerReference> owners) {
        Optional<OwnerReference> ownerWithUid(String ownerUid) {
            return owners.stream().filter(owner -> owner.uid().equals(ownerUid)).findFirst();
        }
    }

    private final Map<String, Dependent> byUid = new HashMap<>();
    private final Map<String, Set<String>> dependentsOf = new HashMap<>();

    /** Takes an object in as it is now; true when it has owners that it did not have before. */
    synchronized boolean put(ResourceType type, StoredObject object) {
        List<OwnerReference> owners = object.metadata().ownerReferences();
        Dependent before = byUid.get(object.metadata().uid());
        if (before != null && before.owners.equals(owners)) {
            return false;
        }
        remove(object.metadata().uid());
        if (owners.isEmpty()) {
            return false;
        }
        String uid = object.metadata().uid();
        byUid.put(uid, new Dependent(type, object.namespace(), object.name(), uid, owners));
        for (OwnerReference owner : owners) {
            dependentsOf
                    .computeIfAbsent(owner.uid(), _ -> new LinkedHashSet<>(2))
                    .add(uid);
        }
        return true;
    }

    synchronized void remove(String uid) {
        Dependent gone = byUid.remove(uid);
        if (gone == null) {
            return;
        }
        for (OwnerReference owner : gone.owners) {
            Set<String> dependents = dependentsOf.get(owner.uid());
            if (dependents != null && dependents.remove(uid) && dependents.isEmpty()) {
                dependentsOf.remove(owner.uid());
            }
        }
    }

    synchronized Optional<Dependent> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    synchronized List<Dependent> dependents(String ownerUid) {
        return dependentsOf.getOrDefault(ownerUid, Set.of()).stream()
                .map(byUid::get)
                .filter(dependent -> dependent != null)
                .toList();
    }
}
