package io.atoll.reconcile;

import io.atoll.client.StoredObject;

/** Names an object of a known type. Immutable; the namespace is empty for cluster-scoped ones. */
public record ObjectKey(String namespace, String name) {
    public static ObjectKey of(StoredObject object) {
        return new ObjectKey(object.namespace(), object.name());
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
