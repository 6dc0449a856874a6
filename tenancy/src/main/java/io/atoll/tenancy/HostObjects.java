package io.atoll.tenancy;

import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import java.util.List;

/** Names of what a tenant has on the host. */
final class HostObjects {
    static final ResourceType SECRETS = BuiltInTypes.SECRETS;

    /** Kinds that the syncer makes on the host, pods first: the rest is in use until they have gone. */
    static final List<ResourceType> TYPES = List.of(
            BuiltInTypes.PODS,
            BuiltInTypes.SERVICES,
            BuiltInTypes.CONFIG_MAPS,
            BuiltInTypes.SECRETS,
            BuiltInTypes.PERSISTENT_VOLUME_CLAIMS);

    /** Label on every host object of a tenant; its value is the tenant's name. */
    static final String MANAGED_BY = "vcluster.loft.sh/managed-by";

    /** Annotation on the credentials: the endpoint that they name. */
    static final String ENDPOINT = "atoll.dev/endpoint";

    static final String KUBERNETES_VERSION = "v1.36.0";

    private HostObjects() {}

    /** The Secret with a tenant's kubeconfig under the key {@code config}, named as vCluster names it. */
    static String credentialsName(String tenant) {
        return "vc-" + tenant;
    }
}
