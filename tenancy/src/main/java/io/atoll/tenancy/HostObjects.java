package io.atoll.tenancy;

import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;

/** Names of what a tenant has on the host. */
final class HostObjects {
    static final ResourceType SECRETS = BuiltInTypes.SECRETS;

    /** Annotation on the credentials: the endpoint that they name. */
    static final String ENDPOINT = "atoll.dev/endpoint";

    static final String KUBERNETES_VERSION = "v1.36.0";

    private HostObjects() {}

    /** The Secret with a tenant's kubeconfig under the key {@code config}, named as vCluster names it. */
    static String credentialsName(String tenant) {
        return "vc-" + tenant;
    }
}
