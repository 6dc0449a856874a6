package io.atoll.model.schema;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.ResourceType;
import io.atoll.model.Subresource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Every resource of Kubernetes 1.36's stable groups, as discovery shows them. Immutable; any thread. */
public final class BuiltInTypes {
    private static final Map<String, ResourceType> BY_PATH = new LinkedHashMap<>();

    private static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");
    private static final String[] READ_WRITE = {"get", "patch", "update"};
    private static final String[] STREAM = {"create", "get"};
    private static final String[] PROXY = {"create", "delete", "get", "patch", "update"};

    // core
    public static final ResourceType BINDINGS =
            namespaced("", "v1", "bindings", "Binding").verbs("create").add();
    public static final ResourceType COMPONENT_STATUSES = cluster("", "v1", "componentstatuses", "ComponentStatus")
            .names("cs")
            .verbs("get", "list")
            .add();
    public static final ResourceType CONFIG_MAPS =
            namespaced("", "v1", "configmaps", "ConfigMap").names("cm").add();
    public static final ResourceType ENDPOINTS =
            namespaced("", "v1", "endpoints", "Endpoints").names("ep").add();
    public static final ResourceType EVENTS =
            namespaced("", "v1", "events", "Event").names("ev").add();
    public static final ResourceType LIMIT_RANGES =
            namespaced("", "v1", "limitranges", "LimitRange").names("limits").add();
    public static final ResourceType NAMESPACES = cluster("", "v1", "namespaces", "Namespace")
            .names("ns")
            .verbs("create", "delete", "get", "list", "patch", "update", "watch")
            .part("finalize", "Namespace", "update")
            .status()
            .add();
    public static final ResourceType NODES = cluster("", "v1", "nodes", "Node")
            .names("no")
            .part("proxy", "NodeProxyOptions", PROXY)
            .status()
            .add();
    public static final ResourceType PERSISTENT_VOLUME_CLAIMS = namespaced(
                    "", "v1", "persistentvolumeclaims", "PersistentVolumeClaim")
            .names("pvc")
            .status()
            .add();
    public static final ResourceType PERSISTENT_VOLUMES = cluster("", "v1", "persistentvolumes", "PersistentVolume")
            .names("pv")
            .status()
            .add();
    public static final ResourceType PODS = namespaced("", "v1", "pods", "Pod")
            .names("po")
            .categories("all")
            .part("attach", "PodAttachOptions", STREAM)
            .part("binding", "Binding", "create")
            .part("ephemeralcontainers", "Pod", READ_WRITE)
            .part("eviction", new GroupVersionKind("policy", "v1", "Eviction"), "create")
            .part("exec", "PodExecOptions", STREAM)
            .part("log", "Pod", "get")
            .part("portforward", "PodPortForwardOptions", STREAM)
            .part("proxy", "PodProxyOptions", PROXY)
            .part("resize", "Pod", READ_WRITE)
            .status()
            .add();
    public static final ResourceType POD_TEMPLATES =
            namespaced("", "v1", "podtemplates", "PodTemplate").add();
    public static final ResourceType REPLICATION_CONTROLLERS = namespaced(
                    "", "v1", "replicationcontrollers", "ReplicationController")
            .names("rc")
            .categories("all")
            .scale()
            .status()
            .add();
    public static final ResourceType RESOURCE_QUOTAS = namespaced("", "v1", "resourcequotas", "ResourceQuota")
            .names("quota")
            .status()
            .add();
    public static final ResourceType SECRETS =
            namespaced("", "v1", "secrets", "Secret").add();
    public static final ResourceType SERVICE_ACCOUNTS = namespaced("", "v1", "serviceaccounts", "ServiceAccount")
            .names("sa")
            .part("token", new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest"), "create")
            .add();
    public static final ResourceType SERVICES = namespaced("", "v1", "services", "Service")
            .names("svc")
            .categories("all")
            .part("proxy", "ServiceProxyOptions", PROXY)
            .status()
            .add();

    // apiregistration.k8s.io
    public static final ResourceType API_SERVICES = cluster("apiregistration.k8s.io", "v1", "apiservices", "APIService")
            .categories("api-extensions")
            .status()
            .add();

    // apps
    public static final ResourceType CONTROLLER_REVISIONS = namespaced(
                    "apps", "v1", "controllerrevisions", "ControllerRevision")
            .add();
    public static final ResourceType DAEMON_SETS = namespaced("apps", "v1", "daemonsets", "DaemonSet")
            .names("ds")
            .categories("all")
            .status()
            .add();
    public static final ResourceType DEPLOYMENTS = namespaced("apps", "v1", "deployments", "Deployment")
            .names("deploy")
            .categories("all")
            .scale()
            .status()
            .add();
    public static final ResourceType REPLICA_SETS = namespaced("apps", "v1", "replicasets", "ReplicaSet")
            .names("rs")
            .categories("all")
            .scale()
            .status()
            .add();
    public static final ResourceType STATEFUL_SETS = namespaced("apps", "v1", "statefulsets", "StatefulSet")
            .names("sts")
            .categories("all")
            .scale()
            .status()
            .add();

    // events.k8s.io
    public static final ResourceType EVENTS_V1 =
            namespaced("events.k8s.io", "v1", "events", "Event").names("ev").add();

    // authentication.k8s.io
    public static final ResourceType SELF_SUBJECT_REVIEWS = cluster(
                    "authentication.k8s.io", "v1", "selfsubjectreviews", "SelfSubjectReview")
            .verbs("create")
            .add();
    public static final ResourceType TOKEN_REVIEWS = cluster(
                    "authentication.k8s.io", "v1", "tokenreviews", "TokenReview")
            .verbs("create")
            .add();

    // authorization.k8s.io
    public static final ResourceType LOCAL_SUBJECT_ACCESS_REVIEWS = namespaced(
                    "authorization.k8s.io", "v1", "localsubjectaccessreviews", "LocalSubjectAccessReview")
            .verbs("create")
            .add();
    public static final ResourceType SELF_SUBJECT_ACCESS_REVIEWS = cluster(
                    "authorization.k8s.io", "v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview")
            .verbs("create")
            .add();
    public static final ResourceType SELF_SUBJECT_RULES_REVIEWS = cluster(
                    "authorization.k8s.io", "v1", "selfsubjectrulesreviews", "SelfSubjectRulesReview")
            .verbs("create")
            .add();
    public static final ResourceType SUBJECT_ACCESS_REVIEWS = cluster(
                    "authorization.k8s.io", "v1", "subjectaccessreviews", "SubjectAccessReview")
            .verbs("create")
            .add();

    // autoscaling
    public static final ResourceType HORIZONTAL_POD_AUTOSCALERS = namespaced(
                    "autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler")
            .names("hpa")
            .categories("all")
            .status()
            .add();
    public static final ResourceType HORIZONTAL_POD_AUTOSCALERS_V1 = namespaced(
                    "autoscaling", "v1", "horizontalpodautoscalers", "HorizontalPodAutoscaler")
            .names("hpa")
            .categories("all")
            .status()
            .add();

    // batch
    public static final ResourceType CRON_JOBS = namespaced("batch", "v1", "cronjobs", "CronJob")
            .names("cj")
            .categories("all")
            .status()
            .add();
    public static final ResourceType JOBS =
            namespaced("batch", "v1", "jobs", "Job").categories("all").status().add();

    // certificates.k8s.io
    public static final ResourceType CERTIFICATE_SIGNING_REQUESTS = cluster(
                    "certificates.k8s.io", "v1", "certificatesigningrequests", "CertificateSigningRequest")
            .names("csr")
            .part("approval", "CertificateSigningRequest", READ_WRITE)
            .status()
            .add();

    // networking.k8s.io
    public static final ResourceType INGRESS_CLASSES =
            cluster("networking.k8s.io", "v1", "ingressclasses", "IngressClass").add();
    public static final ResourceType INGRESSES = namespaced("networking.k8s.io", "v1", "ingresses", "Ingress")
            .names("ing")
            .status()
            .add();
    public static final ResourceType IP_ADDRESSES = cluster("networking.k8s.io", "v1", "ipaddresses", "IPAddress")
            .names("ip")
            .add();
    public static final ResourceType NETWORK_POLICIES = namespaced(
                    "networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy")
            .names("netpol")
            .add();
    public static final ResourceType SERVICE_CIDRS = cluster("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR")
            .status()
            .add();

    // policy
    public static final ResourceType POD_DISRUPTION_BUDGETS = namespaced(
                    "policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget")
            .names("pdb")
            .status()
            .add();

    // rbac.authorization.k8s.io
    public static final ResourceType CLUSTER_ROLE_BINDINGS = cluster(
                    "rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding")
            .add();
    public static final ResourceType CLUSTER_ROLES = cluster(
                    "rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole")
            .add();
    public static final ResourceType ROLE_BINDINGS = namespaced(
                    "rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding")
            .add();
    public static final ResourceType ROLES =
            namespaced("rbac.authorization.k8s.io", "v1", "roles", "Role").add();

    // storage.k8s.io
    public static final ResourceType CSI_DRIVERS =
            cluster("storage.k8s.io", "v1", "csidrivers", "CSIDriver").add();
    public static final ResourceType CSI_NODES =
            cluster("storage.k8s.io", "v1", "csinodes", "CSINode").add();
    public static final ResourceType CSI_STORAGE_CAPACITIES = namespaced(
                    "storage.k8s.io", "v1", "csistoragecapacities", "CSIStorageCapacity")
            .add();
    public static final ResourceType STORAGE_CLASSES = cluster("storage.k8s.io", "v1", "storageclasses", "StorageClass")
            .names("sc")
            .add();
    public static final ResourceType VOLUME_ATTACHMENTS = cluster(
                    "storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment")
            .status()
            .add();
    public static final ResourceType VOLUME_ATTRIBUTES_CLASSES = cluster(
                    "storage.k8s.io", "v1", "volumeattributesclasses", "VolumeAttributesClass")
            .names("vac")
            .add();

    // admissionregistration.k8s.io
    public static final ResourceType MUTATING_ADMISSION_POLICIES = cluster(
                    "admissionregistration.k8s.io", "v1", "mutatingadmissionpolicies", "MutatingAdmissionPolicy")
            .categories("api-extensions")
            .add();
    public static final ResourceType MUTATING_ADMISSION_POLICY_BINDINGS = cluster(
                    "admissionregistration.k8s.io",
                    "v1",
                    "mutatingadmissionpolicybindings",
                    "MutatingAdmissionPolicyBinding")
            .categories("api-extensions")
            .add();
    public static final ResourceType MUTATING_WEBHOOK_CONFIGURATIONS = cluster(
                    "admissionregistration.k8s.io",
                    "v1",
                    "mutatingwebhookconfigurations",
                    "MutatingWebhookConfiguration")
            .categories("api-extensions")
            .add();
    public static final ResourceType VALIDATING_ADMISSION_POLICIES = cluster(
                    "admissionregistration.k8s.io", "v1", "validatingadmissionpolicies", "ValidatingAdmissionPolicy")
            .categories("api-extensions")
            .status()
            .add();
    public static final ResourceType VALIDATING_ADMISSION_POLICY_BINDINGS = cluster(
                    "admissionregistration.k8s.io",
                    "v1",
                    "validatingadmissionpolicybindings",
                    "ValidatingAdmissionPolicyBinding")
            .categories("api-extensions")
            .add();
    public static final ResourceType VALIDATING_WEBHOOK_CONFIGURATIONS = cluster(
                    "admissionregistration.k8s.io",
                    "v1",
                    "validatingwebhookconfigurations",
                    "ValidatingWebhookConfiguration")
            .categories("api-extensions")
            .add();

    // apiextensions.k8s.io
    public static final ResourceType CUSTOM_RESOURCE_DEFINITIONS = cluster(
                    "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition")
            .names("crd", "crds")
            .categories("api-extensions")
            .status()
            .add();

    // scheduling.k8s.io
    public static final ResourceType PRIORITY_CLASSES = cluster(
                    "scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass")
            .names("pc")
            .add();

    // coordination.k8s.io
    public static final ResourceType LEASES =
            namespaced("coordination.k8s.io", "v1", "leases", "Lease").add();

    // node.k8s.io
    public static final ResourceType RUNTIME_CLASSES =
            cluster("node.k8s.io", "v1", "runtimeclasses", "RuntimeClass").add();

    // discovery.k8s.io
    public static final ResourceType ENDPOINT_SLICES = namespaced(
                    "discovery.k8s.io", "v1", "endpointslices", "EndpointSlice")
            .add();

    // flowcontrol.apiserver.k8s.io
    public static final ResourceType FLOW_SCHEMAS = cluster(
                    "flowcontrol.apiserver.k8s.io", "v1", "flowschemas", "FlowSchema")
            .status()
            .add();
    public static final ResourceType PRIORITY_LEVEL_CONFIGURATIONS = cluster(
                    "flowcontrol.apiserver.k8s.io", "v1", "prioritylevelconfigurations", "PriorityLevelConfiguration")
            .status()
            .add();

    // resource.k8s.io
    public static final ResourceType DEVICE_CLASSES =
            cluster("resource.k8s.io", "v1", "deviceclasses", "DeviceClass").add();
    public static final ResourceType RESOURCE_CLAIMS = namespaced(
                    "resource.k8s.io", "v1", "resourceclaims", "ResourceClaim")
            .status()
            .add();
    public static final ResourceType RESOURCE_CLAIM_TEMPLATES = namespaced(
                    "resource.k8s.io", "v1", "resourceclaimtemplates", "ResourceClaimTemplate")
            .add();
    public static final ResourceType RESOURCE_SLICES =
            cluster("resource.k8s.io", "v1", "resourceslices", "ResourceSlice").add();

    private static final List<ResourceType> ALL = List.copyOf(BY_PATH.values());

    private BuiltInTypes() {}

    /** All of them: groups in discovery's order, each with its preferred version first, resources by name. */
    public static List<ResourceType> all() {
        return ALL;
    }

    public static Optional<ResourceType> find(String group, String version, String resource) {
        return Optional.ofNullable(BY_PATH.get(path(group, version, resource)));
    }

    private static String path(String group, String version, String resource) {
        return group + "/" + version + "/" + resource;
    }

    private static Row namespaced(String group, String version, String resource, String kind) {
        return new Row(group, version, resource, kind, true);
    }

    private static Row cluster(String group, String version, String resource, String kind) {
        return new Row(group, version, resource, kind, false);
    }

    /** One row of the table above, until {@link #add}. */
    private static final class Row {
        private final ResourceType base;
        private List<String> names = List.of();
        private List<String> categories = List.of();
        private List<String> verbs = ResourceType.STORED_VERBS;
        private final List<Subresource> parts = new ArrayList<>();

        Row(String group, String version, String resource, String kind, boolean namespaced) {
            base = ResourceType.of(group, version, resource, kind, namespaced);
        }

        Row names(String... values) {
            names = List.of(values);
            return this;
        }

        Row categories(String... values) {
            categories = List.of(values);
            return this;
        }

        Row verbs(String... values) {
            verbs = List.of(values);
            return this;
        }

        Row part(String name, GroupVersionKind kind, String... values) {
            parts.add(new Subresource(name, kind, List.of(values)));
            return this;
        }

        Row part(String name, String kind, String... values) {
            return part(name, new GroupVersionKind(base.group(), base.version(), kind), values);
        }

        Row scale() {
            return part("scale", SCALE, READ_WRITE);
        }

        Row status() {
            return part("status", base.kind(), READ_WRITE);
        }

        ResourceType add() {
            Map<String, Subresource> subresources = new LinkedHashMap<>();
            parts.forEach(part -> subresources.put(part.name(), part));
            ResourceType type = new ResourceType(
                    base.group(),
                    base.version(),
                    base.resource(),
                    base.kind().toLowerCase(Locale.ROOT),
                    base.kind(),
                    base.namespaced(),
                    names,
                    categories,
                    verbs,
                    subresources);
            BY_PATH.put(path(type.group(), type.version(), type.resource()), type);
            return type;
        }
    }
}
