package io.atoll.model;

/**
 * A resource with its API group, without a version: what a store key and an RBAC rule name. Immutable.
 *
 * @param group the API group; empty for the core group
 * @param resource the plural resource name, e.g. {@code pods}
 */
public record GroupResource(String group, String resource) {
    /** As Kubernetes prints it in messages: {@code pods}, {@code deployments.apps}. */
    @Override
    public String toString() {
        return group.isEmpty() ? resource : resource + "." + group;
    }
}
