package io.atoll.apiserver.kind;

import io.atoll.apiserver.crd.DefinitionStrategy;
import io.atoll.apiserver.registry.Conversion;
import io.atoll.apiserver.registry.SelectableFields;
import io.atoll.apiserver.registry.Strategy;
import io.atoll.apiserver.registry.Traits;
import io.atoll.model.GroupResource;
import io.atoll.model.ResourceType;
import io.atoll.model.schema.BuiltInTypes;
import java.util.HashMap;
import java.util.Map;

import static io.atoll.apiserver.registry.Traits.Trait.CREATE_ON_UPDATE;
import static io.atoll.apiserver.registry.Traits.Trait.GENERATION;
import static io.atoll.apiserver.registry.Traits.Trait.KEEPS_STATUS;
import static io.atoll.apiserver.registry.Traits.Trait.STATUS_CHANGES_METADATA;

/** The table of the built-in kinds' peculiarities. Immutable. */
public final class Kinds {
    private static final String EVENTS_GROUP = "events.k8s.io";
    private static final String AUTOSCALING = "autoscaling";
    private static final Map<GroupResource, Strategy> STRATEGIES = strategies();

    private static final Map<GroupResource, SelectableFields> FIELDS = Map.ofEntries(
            fields(
                    "",
                    "pods",
                    "spec.nodeName",
                    "spec.restartPolicy",
                    "spec.schedulerName",
                    "spec.serviceAccountName",
                    "spec.hostNetwork",
                    "status.phase",
                    "status.podIP",
                    "status.podIPs",
                    "status.nominatedNodeName"),
            fields("", "nodes", "spec.unschedulable"),
            fields("", "namespaces", "status.phase"),
            fields("", "secrets", "type"),
            fields("", "services", "spec.clusterIP", "spec.type"),
            fields("", "replicationcontrollers", "status.replicas"),
            fields(
                    "",
                    "events",
                    "involvedObject.kind",
                    "involvedObject.namespace",
                    "involvedObject.name",
                    "involvedObject.uid",
                    "involvedObject.apiVersion",
                    "involvedObject.resourceVersion",
                    "involvedObject.fieldPath",
                    "reason",
                    "reportingComponent",
                    "source",
                    "type"),
            fields("apps", "replicasets", "status.replicas"),
            fields("batch", "jobs", "status.successful"),
            fields("certificates.k8s.io", "certificatesigningrequests", "spec.signerName"),
            fields("resource.k8s.io", "resourceslices", "spec.nodeName", "spec.driver"));

    private Kinds() {}

    /** The type whose objects are in the store. */
    public static ResourceType storedAs(ResourceType type) {
        if (type.group().equals(EVENTS_GROUP)) {
            return BuiltInTypes.find("", "v1", "events").orElseThrow();
        }
        if (isOldAutoscaler(type)) {
            return BuiltInTypes.find(AUTOSCALING, "v2", type.resource()).orElseThrow();
        }
        return type;
    }

    public static Conversion conversion(ResourceType type) {
        if (type.group().equals(EVENTS_GROUP)) {
            return new EventConversion();
        }
        return isOldAutoscaler(type) ? new AutoscalerConversion() : Conversion.NONE;
    }

    public static Strategy strategy(GroupResource resource) {
        return STRATEGIES.getOrDefault(
                resource.group().equals(EVENTS_GROUP) ? new GroupResource("", resource.resource()) : resource,
                Strategy.PLAIN);
    }

    public static SelectableFields fields(GroupResource resource) {
        return FIELDS.getOrDefault(
                resource.group().equals(EVENTS_GROUP) ? new GroupResource("", resource.resource()) : resource,
                SelectableFields.METADATA);
    }

    private static boolean isOldAutoscaler(ResourceType type) {
        return type.group().equals(AUTOSCALING)
                && type.version().equals("v1")
                && type.resource().equals("horizontalpodautoscalers");
    }

    private static Map.Entry<GroupResource, SelectableFields> fields(String group, String resource, String... paths) {
        return Map.entry(new GroupResource(group, resource), SelectableFields.of(paths));
    }

    private static Map<GroupResource, Strategy> strategies() {
        Map<GroupResource, Strategy> table = new HashMap<>();
        put(table, "", "namespaces", new NamespaceStrategy());
        put(table, "", "nodes", plain(Traits.of(KEEPS_STATUS, STATUS_CHANGES_METADATA)));
        put(table, "", "events", new EventStrategy());
        put(table, AUTOSCALING, "horizontalpodautoscalers", new AutoscalerStrategy());
        put(table, "", "endpoints", plain(Traits.of(CREATE_ON_UPDATE)));
        put(table, "", "limitranges", new LimitRangeStrategy());
        put(table, "coordination.k8s.io", "leases", plain(Traits.of(CREATE_ON_UPDATE)));
        put(table, "apiextensions.k8s.io", "customresourcedefinitions", new DefinitionStrategy());
        put(table, "", "pods", new PodStrategy());
        put(table, "", "services", new ServiceStrategy());
        put(table, "", "configmaps", new DataStrategy(false));
        put(table, "", "secrets", new DataStrategy(true));
        put(table, "", "persistentvolumeclaims", new VolumeClaimStrategy());
        put(table, "", "persistentvolumes", new VolumeStrategy());
        put(table, "", "replicationcontrollers", new WorkloadStrategy(WorkloadStrategy.Kind.REPLICATION_CONTROLLER));
        put(table, "apps", "deployments", new WorkloadStrategy(WorkloadStrategy.Kind.DEPLOYMENT));
        put(table, "apps", "replicasets", new WorkloadStrategy(WorkloadStrategy.Kind.REPLICA_SET));
        put(table, "apps", "statefulsets", new WorkloadStrategy(WorkloadStrategy.Kind.STATEFUL_SET));
        put(table, "apps", "daemonsets", new WorkloadStrategy(WorkloadStrategy.Kind.DAEMON_SET));
        put(table, "batch", "jobs", new JobStrategy());
        put(table, "batch", "cronjobs", new CronJobStrategy());
        put(table, "certificates.k8s.io", "certificatesigningrequests", new CertificateRequestStrategy());
        put(table, "rbac.authorization.k8s.io", "roles", new RoleStrategy(false, false));
        put(table, "rbac.authorization.k8s.io", "clusterroles", new RoleStrategy(false, true));
        put(table, "rbac.authorization.k8s.io", "rolebindings", new RoleStrategy(true, false));
        put(table, "rbac.authorization.k8s.io", "clusterrolebindings", new RoleStrategy(true, true));
        put(table, "networking.k8s.io", "ingresses", new IngressStrategy());
        put(table, "networking.k8s.io", "networkpolicies", plain(Traits.of(GENERATION)));
        put(table, "networking.k8s.io", "ingressclasses", plain(Traits.of(GENERATION)));
        put(table, "policy", "poddisruptionbudgets", plain(Traits.of(GENERATION)));
        put(table, "discovery.k8s.io", "endpointslices", plain(Traits.of(GENERATION)));
        put(table, "scheduling.k8s.io", "priorityclasses", plain(Traits.of(GENERATION)));
        for (String resource : new String[] {
            "validatingwebhookconfigurations",
            "mutatingwebhookconfigurations",
            "validatingadmissionpolicies",
            "validatingadmissionpolicybindings",
            "mutatingadmissionpolicies",
            "mutatingadmissionpolicybindings"
        }) {
            put(table, "admissionregistration.k8s.io", resource, plain(Traits.of(GENERATION)));
        }
        put(table, "flowcontrol.apiserver.k8s.io", "flowschemas", plain(Traits.of(GENERATION)));
        put(table, "flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations", plain(Traits.of(GENERATION)));
        return Map.copyOf(table);
    }

    private static void put(Map<GroupResource, Strategy> table, String group, String resource, Strategy strategy) {
        table.put(new GroupResource(group, resource), strategy);
    }

    private static Strategy plain(Traits traits) {
        return new Strategy() {
            @Override
            public Traits traits() {
                return traits;
            }
        };
    }
}
