package io.atoll.apiserver.authz;

/** Names a Role, or a ClusterRole when the namespace is empty. */
record RoleKey(String namespace, String name) {
    boolean clusterRole() {
        return namespace.isEmpty();
    }

    /** As Kubernetes says it: {@code clusterroles.rbac.authorization.k8s.io}. */
    String resource() {
        return clusterRole() ? "clusterroles" : "roles";
    }

    String kind() {
        return clusterRole() ? "ClusterRole" : "Role";
    }
}
