package io.atoll.syncer.translate;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.patch.StrategicMergePatch;
import io.atoll.model.schema.Schemas;
import io.atoll.syncer.config.TenantConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tenant's pod as the host gets it. What the tenant says about the host's own matters (node, identity, priority,
 * owners) is dropped; what it says about its own objects is renamed. {@link PodPolicy} has let the pod through before.
 * Immutable; any thread.
 */
public final class PodTranslator {
    private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
    private static final int HOSTNAME_MAX = 63;

    private final HostObjects objects;
    private final TenantConfig config;

    /**
     * What a pod needs to know of its surroundings.
     *
     * @param namespaceLabels of its namespace in the tenant
     * @param apiAddress where the tenant's API server answers, as pods reach it; empty when they cannot
     * @param dnsAddress the host's address of the tenant's DNS; empty when it has none
     */
    public record Surroundings(
            Map<String, String> namespaceLabels, Optional<ApiAddress> apiAddress, Optional<String> dnsAddress) {
        public Surroundings {
            namespaceLabels = Map.copyOf(namespaceLabels);
        }
    }

    /** An address of the tenant's API server. */
    public record ApiAddress(String host, int port) {}

    public PodTranslator(HostObjects objects, TenantConfig config) {
        this.objects = objects;
        this.config = config;
    }

    /** The host pod to create. */
    public ObjectNode toHost(ObjectNode pod, Surroundings around) {
        String namespace = Metadata.namespace(pod);
        ObjectNode host = objects.head(pod, objects.names().of(namespace, Metadata.name(pod)));
        objects.labels()
                .ofNamespace(around.namespaceLabels())
                .forEach((key, value) -> Metadata.setLabel(host, key, value));
        ObjectNode spec = pod.path("spec") instanceof ObjectNode given ? given.deepCopy() : Json.object();
        host.set("spec", spec);
        annotate(pod, host);

        dropWhatIsTheHosts(spec);
        images(spec);
        new PodVolumes(objects.names()).translate(pod, spec);
        new PodEnvironment(objects.names(), objects.labels()).translate(namespace, spec, around.apiAddress());
        network(pod, spec, around);
        scheduling(namespace, spec);
        ObjectNode merged = template(host);
        objects.head(pod, Metadata.name(host))
                .path("metadata")
                .path("labels")
                .properties()
                .forEach(entry -> protect(merged, entry.getKey(), entry.getValue()));
        return merged;
    }

    /** A container of a pod that is on the host already. */
    public ObjectNode container(ObjectNode pod, JsonNode container, Surroundings around) {
        ObjectNode copy = (ObjectNode) container.deepCopy();
        copy.put("image", image(copy.path("image").asString("")));
        new PodEnvironment(objects.names(), objects.labels())
                .container(Metadata.namespace(pod), copy, around.apiAddress());
        return copy;
    }

    /** The annotations that a running host pod is to have from its tenant pod: those of {@link #toHost}. */
    private void annotate(ObjectNode pod, ObjectNode host) {
        Metadata.setAnnotation(host, Marks.POD_NAME, Metadata.name(pod));
        Metadata.setAnnotation(host, Marks.POD_NAMESPACE, Metadata.namespace(pod));
        Metadata.setAnnotation(host, Marks.POD_UID, Metadata.uid(pod));
        Metadata.setAnnotation(host, Marks.POD_LABELS, lines(Metadata.labels(pod)));
        Metadata.setAnnotation(
                host,
                Marks.SERVICE_ACCOUNT,
                pod.path("spec").path("serviceAccountName").asString("default"));
        if (PodEnvironment.readsAnnotations(pod)) {
            Metadata.setAnnotation(host, Marks.POD_ANNOTATIONS, lines(Metadata.annotations(pod)));
        }
        JsonNode owners = pod.path("metadata").path("ownerReferences");
        Optional<Metadata.OwnerReference> controller = Metadata.controller(pod);
        if (!owners.isEmpty()) {
            Metadata.setAnnotation(host, Marks.OWNERS, Json.encodeToString(owners));
        }
        controller.ifPresent(owner -> {
            if (List.of("DaemonSet", "Job", "ReplicaSet", "StatefulSet").contains(owner.kind())) {
                Metadata.setAnnotation(host, Marks.OWNER_KIND, owner.kind());
            }
            if (owner.kind().equals("DaemonSet")) {
                Metadata.setAnnotation(host, "cluster-autoscaler.kubernetes.io/daemonset-pod", "true");
            }
        });
        String evictable = "cluster-autoscaler.kubernetes.io/safe-to-evict";
        if (Metadata.annotation(host, evictable).isEmpty()) {
            Metadata.setAnnotation(host, evictable, Boolean.toString(controller.isPresent()));
        }
    }

    private void dropWhatIsTheHosts(ObjectNode spec) {
        spec.remove(List.of(
                "nodeName",
                "serviceAccount",
                "ephemeralContainers",
                "priority",
                "priorityClassName",
                "preemptionPolicy",
                "overhead",
                "resourceClaims"));
        String account = config.pods().serviceAccountName();
        spec.put("serviceAccountName", account.isEmpty() ? objects.names().workloadServiceAccount() : account);
        spec.put("automountServiceAccountToken", false);
        spec.put("enableServiceLinks", false);
        if (!config.pods().priorityClassName().isEmpty()) {
            spec.put("priorityClassName", config.pods().priorityClassName());
        }
        if (!config.pods().runtimeClassName().isEmpty()) {
            spec.put("runtimeClassName", config.pods().runtimeClassName());
        }
    }

    private void images(ObjectNode spec) {
        for (ObjectNode container : PodSpecs.containers(spec)) {
            container.put("image", image(container.path("image").asString("")));
        }
    }

    /** The host's name for an image. */
    public String image(String image) {
        return config.pods().translateImage().getOrDefault(image, image);
    }

    private void network(ObjectNode pod, ObjectNode spec, Surroundings around) {
        String domain = config.clusterDomain();
        if (spec.path("hostname").asString("").isEmpty()) {
            String name = Metadata.name(pod);
            spec.put(
                    "hostname",
                    name.substring(0, Math.min(HOSTNAME_MAX, name.length())).replace('.', '-'));
        }
        spec.remove("subdomain");
        around.apiAddress().filter(address -> isIpAddress(address.host())).ifPresent(address -> {
            ArrayNode aliases = PodSpecs.list(spec, "hostAliases");
            aliases.addObject()
                    .put("ip", address.host())
                    .putArray("hostnames")
                    .add("kubernetes.default.svc." + domain)
                    .add("kubernetes")
                    .add("kubernetes.default")
                    .add("kubernetes.default.svc");
        });
        String policy = spec.path("dnsPolicy").asString("ClusterFirst");
        boolean clusterFirst = policy.equals("ClusterFirst") || policy.equals("ClusterFirstWithHostNet");
        if (clusterFirst && around.dnsAddress().isPresent()) {
            ObjectNode given = spec.get("dnsConfig") instanceof ObjectNode present ? present : Json.object();
            spec.put("dnsPolicy", "None");
            spec.set(
                    "dnsConfig",
                    dns(Metadata.namespace(pod), domain, around.dnsAddress().get(), given));
        } else if (clusterFirst) {
            // The host's DNS would answer with names of the host.
            spec.put("dnsPolicy", "Default");
        }
    }

    private static ObjectNode dns(String namespace, String domain, String address, ObjectNode given) {
        ObjectNode dns = Json.object();
        ArrayNode servers = dns.putArray("nameservers").add(address);
        given.path("nameservers").forEach(servers::add);
        ArrayNode searches = dns.putArray("searches")
                .add(namespace + ".svc." + domain)
                .add("svc." + domain)
                .add(domain);
        given.path("searches").forEach(searches::add);
        ArrayNode options = dns.putArray("options");
        boolean hasDots = false;
        for (JsonNode option : given.path("options")) {
            hasDots |= option.path("name").asString("").equals("ndots");
            options.add(option);
        }
        if (!hasDots) {
            options.addObject().put("name", "ndots").put("value", "5");
        }
        return dns;
    }

    private void scheduling(String namespace, ObjectNode spec) {
        HostLabels labels = objects.labels();
        for (ObjectNode constraint : PodSpecs.objects(spec, "topologySpreadConstraints")) {
            constraint.set("labelSelector", labels.selector(namespace, constraint.path("labelSelector")));
        }
        JsonNode affinity = spec.path("affinity");
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            for (ObjectNode term :
                    PodSpecs.objects(affinity.path(kind), "requiredDuringSchedulingIgnoredDuringExecution")) {
                affinityTerm(namespace, term);
            }
            for (ObjectNode weighted :
                    PodSpecs.objects(affinity.path(kind), "preferredDuringSchedulingIgnoredDuringExecution")) {
                if (weighted.get("podAffinityTerm") instanceof ObjectNode term) {
                    affinityTerm(namespace, term);
                }
            }
        }
        if (!config.nodes().all() && !config.nodes().labels().isEmpty()) {
            ObjectNode selector = Json.child(spec, "nodeSelector");
            config.nodes().labels().forEach(selector::put);
        }
        for (ObjectNode toleration : config.pods().enforcedTolerations()) {
            addToleration(spec, toleration);
        }
    }

    private void affinityTerm(String namespace, ObjectNode term) {
        ObjectNode selector = objects.labels().affinitySelector(namespace, term);
        term.remove(List.of("namespaces", "namespaceSelector"));
        term.set("labelSelector", selector);
    }

    /** Lays the operator's template over the pod; tolerations are added, for a list without keys would be replaced. */
    private ObjectNode template(ObjectNode host) {
        ObjectNode template = config.pods().template().deepCopy();
        if (template.isEmpty()) {
            return host;
        }
        List<ObjectNode> tolerations = PodSpecs.objects(template.path("spec"), "tolerations");
        if (template.get("spec") instanceof ObjectNode spec) {
            spec.remove("tolerations");
        }
        ObjectNode merged = StrategicMergePatch.apply(Schemas.find(POD).orElse(null), host, template);
        tolerations.forEach(toleration -> addToleration((ObjectNode) merged.path("spec"), toleration));
        return merged;
    }

    /** The template may change labels of the tenant's, but not those that say whose the pod is. */
    private static void protect(ObjectNode host, String key, JsonNode value) {
        if (key.startsWith(Marks.PREFIX)) {
            Metadata.setLabel(host, key, value.asString(""));
        }
    }

    private static void addToleration(ObjectNode spec, ObjectNode toleration) {
        ArrayNode present = PodSpecs.list(spec, "tolerations");
        for (JsonNode other : present) {
            if (other.equals(toleration)) {
                return;
            }
        }
        present.add(toleration.deepCopy());
    }

    /** As the downward API writes a map into a file. */
    private static String lines(Map<String, String> map) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(map).forEach((key, value) -> {
            text.append(text.isEmpty() ? "" : "\n").append(key).append('=');
            text.append(Json.encodeToString(tools.jackson.databind.node.StringNode.valueOf(value)));
        });
        return text.toString();
    }

    private static boolean isIpAddress(@Nullable String host) {
        return host != null && (host.indexOf(':') >= 0 || host.matches("[0-9.]+"));
    }
}
