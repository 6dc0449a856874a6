package io.atoll.controllers;

import io.atoll.model.ResourceType;

/** The built-in types that the controllers act on. */
final class Kinds {
    static final ResourceType PODS = core("pods", "Pod");
    static final ResourceType SERVICES = core("services", "Service");
    static final ResourceType ENDPOINTS = core("endpoints", "Endpoints");
    static final ResourceType SECRETS = core("secrets", "Secret");
    static final ResourceType CONFIG_MAPS = core("configmaps", "ConfigMap");
    static final ResourceType SERVICE_ACCOUNTS = core("serviceaccounts", "ServiceAccount");
    static final ResourceType PERSISTENT_VOLUME_CLAIMS = core("persistentvolumeclaims", "PersistentVolumeClaim");
    static final ResourceType RESOURCE_QUOTAS = core("resourcequotas", "ResourceQuota");
    static final ResourceType REPLICATION_CONTROLLERS = core("replicationcontrollers", "ReplicationController");
    static final ResourceType NAMESPACES = ResourceType.of("", "v1", "namespaces", "Namespace", false);
    static final ResourceType NODES = ResourceType.of("", "v1", "nodes", "Node", false);
    static final ResourceType DEPLOYMENTS = apps("deployments", "Deployment");
    static final ResourceType REPLICA_SETS = apps("replicasets", "ReplicaSet");
    static final ResourceType STATEFUL_SETS = apps("statefulsets", "StatefulSet");
    static final ResourceType DAEMON_SETS = apps("daemonsets", "DaemonSet");
    static final ResourceType CONTROLLER_REVISIONS = apps("controllerrevisions", "ControllerRevision");
    static final ResourceType JOBS = ResourceType.of("batch", "v1", "jobs", "Job", true);
    static final ResourceType CRON_JOBS = ResourceType.of("batch", "v1", "cronjobs", "CronJob", true);
    static final ResourceType POD_DISRUPTION_BUDGETS =
            ResourceType.of("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true);
    static final ResourceType ENDPOINT_SLICES =
            ResourceType.of("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
    static final ResourceType CLUSTER_ROLES =
            ResourceType.of("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false);
    static final ResourceType CUSTOM_RESOURCE_DEFINITIONS = ResourceType.of(
            "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false);

    private Kinds() {}

    private static ResourceType core(String resource, String kind) {
        return ResourceType.of("", "v1", resource, kind, true);
    }

    private static ResourceType apps(String resource, String kind) {
        return ResourceType.of("apps", "v1", resource, kind, true);
    }
}
