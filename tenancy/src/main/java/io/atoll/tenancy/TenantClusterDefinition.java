package io.atoll.tenancy;

import io.atoll.model.ResourceType;
import io.atoll.model.Yaml;
import tools.jackson.databind.node.ObjectNode;

/** The {@code TenantCluster} resource on the host. Immutable. */
public final class TenantClusterDefinition {
    public static final ResourceType TYPE =
            ResourceType.of("atoll.dev", "v1alpha1", "tenantclusters", "TenantCluster", true);

    /** Keeps a TenantCluster until all it has on the host is gone. */
    static final String FINALIZER = "atoll.dev/tenant";

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: tenantclusters.atoll.dev
            spec:
              group: atoll.dev
              scope: Namespaced
              names:
                plural: tenantclusters
                singular: tenantcluster
                kind: TenantCluster
                listKind: TenantClusterList
                shortNames: [tc]
                categories: [all]
              versions:
              - name: v1alpha1
                served: true
                storage: true
                subresources:
                  status: {}
                additionalPrinterColumns:
                - {name: Status, type: string, jsonPath: .status.phase}
                - {name: Endpoint, type: string, jsonPath: .status.endpoint}
                - {name: Version, type: string, jsonPath: .status.version}
                - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
                schema:
                  openAPIV3Schema:
                    description: A Kubernetes cluster of its own for a team or customer, on the host's nodes.
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          config:
                            description: The tenant's configuration in the form of vcluster.yaml.
                            type: object
                            x-kubernetes-preserve-unknown-fields: true
                      status:
                        type: object
                        properties:
                          phase:
                            description: Pending, Running, Failed or Terminating.
                            type: string
                          endpoint:
                            description: URL of the tenant's API server.
                            type: string
                          version:
                            description: Kubernetes version that the tenant serves.
                            type: string
                          conditions:
                            type: array
                            x-kubernetes-list-type: map
                            x-kubernetes-list-map-keys: [type]
                            items:
                              type: object
                              required: [type, status, lastTransitionTime, reason, message]
                              properties:
                                type: {type: string}
                                status: {type: string, enum: ["True", "False", "Unknown"]}
                                observedGeneration: {type: integer, format: int64}
                                lastTransitionTime: {type: string, format: date-time}
                                reason: {type: string}
                                message: {type: string}
            """;

    private TenantClusterDefinition() {}

    /** A fresh tree of the CustomResourceDefinition. */
    public static ObjectNode definition() {
        return Yaml.parse(DEFINITION);
    }
}
