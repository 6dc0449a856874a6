package io.atoll.syncer.translate;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Metadata of a tenant's objects on the host: made from the tenant's, and recognised again. Nothing of it that the host
 * acts on (owners, finalizers, generated names, the syncer's own marks) is taken from the tenant. Immutable.
 */
public final class HostObjects {
    /** Annotations that say something to the host's scheduler and node agent, or are of no use there. */
    private static final Set<String> DROPPED = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration",
            "pod-group-name",
            "received-resource-type",
            "run.ai/reserve_for_gpu_index",
            "storageclass.kubernetes.io/is-default-class");

    private static final Set<String> DROPPED_PREFIXES =
            Set.of(Marks.PREFIX, "atoll.dev/", "runai/", "pv.kubernetes.io/");

    private final HostNames names;
    private final HostLabels labels;
    private final Optional<OwnerReference> owner;

    /** @param owner the host object that all others go with */
    public HostObjects(HostNames names, Optional<OwnerReference> owner) {
        this.names = names;
        this.labels = new HostLabels(names);
        this.owner = owner;
    }

    public HostNames names() {
        return names;
    }

    public HostLabels labels() {
        return labels;
    }

    /** A host object with the tenant object's kind and translated metadata, and nothing else. */
    public ObjectNode head(ObjectNode tenantObject, String hostName) {
        ObjectNode host = Json.object();
        host.put("kind", tenantObject.path("kind").asString(""));
        host.put("apiVersion", tenantObject.path("apiVersion").asString(""));
        ObjectNode metadata = host.putObject("metadata");
        metadata.put("name", hostName).put("namespace", names.namespace());
        String namespace = Metadata.namespace(tenantObject);
        Metadata.setLabels(host, labels.of(namespace, Metadata.labels(tenantObject)));
        Metadata.setAnnotations(host, annotations(tenantObject, hostName));
        owner.ifPresent(reference -> Metadata.setOwnerReferences(host, List.of(reference)));
        return host;
    }

    /**
     * Brings the metadata of a host object in line with a new head of it: what the tenant sets or no longer sets changes,
     * what the host has added stays.
     */
    public static void refresh(ObjectNode host, ObjectNode head) {
        Map<String, String> labels = Metadata.labels(host);
        labels.keySet().removeAll(lines(Metadata.annotation(host, Marks.MANAGED_LABELS)));
        labels.putAll(Metadata.labels(head));
        Metadata.setLabels(host, labels);
        Map<String, String> annotations = Metadata.annotations(host);
        annotations.keySet().removeAll(lines(Metadata.annotation(host, Marks.MANAGED_ANNOTATIONS)));
        annotations.putAll(Metadata.annotations(head));
        Metadata.setAnnotations(host, annotations);
    }

    private static List<String> lines(String text) {
        return text.lines().toList();
    }

    private Map<String, String> annotations(ObjectNode tenantObject, String hostName) {
        Map<String, String> copied = copied(Metadata.annotations(tenantObject));
        Map<String, String> result = new LinkedHashMap<>(copied);
        result.put(Marks.MANAGED_ANNOTATIONS, String.join("\n", copied.keySet()));
        result.put(
                Marks.MANAGED_LABELS,
                String.join(
                        "\n",
                        Metadata.labels(tenantObject).keySet().stream()
                                .map(labels::key)
                                .toList()));
        result.put(Marks.OBJECT_NAME, Metadata.name(tenantObject));
        result.put(Marks.OBJECT_NAMESPACE, Metadata.namespace(tenantObject));
        result.put(Marks.OBJECT_UID, Metadata.uid(tenantObject));
        result.put(Marks.OBJECT_KIND, kind(tenantObject));
        result.put(Marks.OBJECT_HOST_NAME, hostName);
        result.put(Marks.OBJECT_HOST_NAMESPACE, names.namespace());
        return result;
    }

    /** The tenant's annotations that the host gets. */
    public static Map<String, String> copied(Map<String, String> annotations) {
        Map<String, String> result = new LinkedHashMap<>();
        annotations.forEach((key, value) -> {
            if (!DROPPED.contains(key) && DROPPED_PREFIXES.stream().noneMatch(key::startsWith)) {
                result.put(key, value);
            }
        });
        return result;
    }

    /** Whether a host object is this tenant's: made by the syncer under this very name. */
    public boolean isOurs(JsonNode host) {
        return Metadata.namespace(host).equals(names.namespace())
                && Metadata.label(host, Marks.MANAGED_BY).equals(names.managedBy())
                && Metadata.annotation(host, Marks.OBJECT_HOST_NAME).equals(Metadata.name(host))
                && Metadata.annotation(host, Marks.OBJECT_HOST_NAMESPACE).equals(names.namespace())
                && Metadata.annotation(host, Marks.OBJECT_KIND).equals(kind(host))
                && !tenantName(host).isEmpty();
    }

    /** Whether a host object is ours and stands for this object of the tenant. */
    public boolean isFor(JsonNode host, String namespace, String name) {
        return isOurs(host)
                && tenantNamespace(host).equals(namespace)
                && tenantName(host).equals(name);
    }

    /** The UID of the tenant object that a host object stands for. */
    public static String tenantUid(JsonNode host) {
        return Metadata.annotation(host, Marks.OBJECT_UID);
    }

    public static String tenantName(JsonNode host) {
        return Metadata.annotation(host, Marks.OBJECT_NAME);
    }

    public static String tenantNamespace(JsonNode host) {
        return Metadata.annotation(host, Marks.OBJECT_NAMESPACE);
    }

    /** As Go prints a GroupVersionKind: {@code /v1, Kind=Pod}, {@code apps/v1, Kind=Deployment}. */
    static String kind(JsonNode object) {
        String apiVersion = object.path("apiVersion").asString("");
        String prefix = apiVersion.indexOf('/') < 0 ? "/" : "";
        return prefix + apiVersion + ", Kind=" + object.path("kind").asString("");
    }
}
