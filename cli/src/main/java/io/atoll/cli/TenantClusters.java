package io.atoll.cli;

import io.atoll.model.ResourceType;

/** The resources of the host that the commands act on. */
final class TenantClusters {
    static final ResourceType TYPE = ResourceType.of("atoll.dev", "v1alpha1", "tenantclusters", "TenantCluster", true);
    static final ResourceType NAMESPACES = ResourceType.of("", "v1", "namespaces", "Namespace", false);
    static final ResourceType SECRETS = ResourceType.of("", "v1", "secrets", "Secret", true);

    /** Marks a namespace that {@code atoll create} made, so that {@code atoll delete} may remove it. */
    static final String CREATED_BY_CLI = "atoll.dev/created-by-cli";

    private TenantClusters() {}

    /** The Secret that holds a tenant's kubeconfig under the key {@code config}, named as vCluster names it. */
    static String secretName(String tenant) {
        return "vc-" + tenant;
    }

    /** The namespace of a tenant when none is given, as vCluster chooses it. */
    static String defaultNamespace(String tenant) {
        return "vcluster-" + tenant;
    }

    /** The context's name in a user's kubeconfig. */
    static String contextName(String tenant, String namespace) {
        return "atoll_" + tenant + "_" + namespace;
    }
}
