package io.atoll.node.runtime;

import io.atoll.model.ResourceType;

/** The resources of the host that a node reads and writes. */
public final class HostTypes {
    public static final ResourceType PODS = ResourceType.of("", "v1", "pods", "Pod", true);
    public static final ResourceType NODES = ResourceType.of("", "v1", "nodes", "Node", false);
    public static final ResourceType NAMESPACES = ResourceType.of("", "v1", "namespaces", "Namespace", false);
    public static final ResourceType CONFIG_MAPS = ResourceType.of("", "v1", "configmaps", "ConfigMap", true);
    public static final ResourceType SECRETS = ResourceType.of("", "v1", "secrets", "Secret", true);
    public static final ResourceType SERVICE_ACCOUNTS =
            ResourceType.of("", "v1", "serviceaccounts", "ServiceAccount", true);
    public static final ResourceType CLAIMS =
            ResourceType.of("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true);
    public static final ResourceType LEASES = ResourceType.of("coordination.k8s.io", "v1", "leases", "Lease", true);

    private HostTypes() {}
}
