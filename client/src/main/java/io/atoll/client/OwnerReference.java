package io.atoll.client;

/** One entry of {@code metadata.ownerReferences}. Immutable. */
public record OwnerReference(
        String apiVersion, String kind, String name, String uid, boolean controller, boolean blockOwnerDeletion) {}
