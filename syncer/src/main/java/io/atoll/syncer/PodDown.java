package io.atoll.syncer;

import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.StatusReason;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.ObjectKey;
import io.atoll.syncer.translate.HostObjects;
import io.atoll.syncer.translate.Marks;
import io.atoll.syncer.translate.PodPolicy;
import io.atoll.syncer.translate.PodTranslator;
import io.atoll.syncer.translate.PodTranslator.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The tenant's side of a pod on its way to the host: whether it may go, its creation, its later changes. Any thread. */
final class PodDown {
    private static final ObjectKey DNS = new ObjectKey("kube-system", "kube-dns");
    private static final int REFUSED_MAX = 1_000;

    private final SyncContext context;
    private final PodPolicy policy;
    private final PodTranslator translator;
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    PodDown(SyncContext context) {
        this.context = context;
        this.policy = new PodPolicy(context.config());
        this.translator = new PodTranslator(context.objects(), context.config());
    }

    /** Whether the syncer has bound the pod to its node, rather than its author. */
    static boolean isBound(JsonNode pod) {
        if (pod.path("spec").path("nodeName").asString("").isEmpty()) {
            return false;
        }
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asString("").equals("PodScheduled")) {
                return condition.path("status").asString("").equals("True");
            }
        }
        return false;
    }

    /** Whether the pod must not go to the host; says so once. */
    boolean refuses(ObjectNode pod) {
        List<String> refusals = new ArrayList<>(policy.refusals(pod));
        if (!pod.path("spec").path("nodeName").asString("").isEmpty()) {
            refusals.add("spec.nodeName: pods cannot choose a node of the host; use a nodeSelector or affinity");
        }
        if (refusals.isEmpty()) {
            return false;
        }
        if (refused.size() >= REFUSED_MAX) {
            refused.clear();
        }
        if (refused.add(Metadata.uid(pod))) {
            context.warn(pod, "SyncWarning", "Pod is not synced to the host: " + String.join("; ", refusals));
        }
        return true;
    }

    ObjectNode create(ObjectNode pod) {
        ensureServiceAccount();
        return context.host()
                .create(BuiltInTypes.PODS, context.names().namespace(), translator.toHost(pod, surroundings(pod)));
    }

    /** Carries over what may change of a pod that is there: metadata, images, deadline, gates, more tolerations. */
    void update(ObjectNode pod, ObjectNode hostPod) {
        ObjectNode wanted = translator.toHost(pod, surroundings(pod));
        ObjectNode next = hostPod.deepCopy();
        HostObjects.refresh(next, wanted);
        ObjectNode spec = Json.child(next, "spec");
        for (String list : List.of("containers", "initContainers")) {
            Map<String, JsonNode> images = byName(wanted.path("spec").path(list));
            for (JsonNode container : spec.path(list)) {
                JsonNode other = images.get(container.path("name").asString(""));
                if (other != null && container instanceof ObjectNode object) {
                    object.set("image", other.path("image"));
                }
            }
        }
        JsonNode deadline = wanted.path("spec").get("activeDeadlineSeconds");
        if (deadline != null) {
            spec.set("activeDeadlineSeconds", deadline);
        }
        if (spec.has("schedulingGates")) {
            JsonNode gates = wanted.path("spec").get("schedulingGates");
            if (gates == null || gates.isEmpty()) {
                spec.remove("schedulingGates");
            } else {
                spec.set("schedulingGates", gates);
            }
        }
        addTolerations(spec, wanted.path("spec").path("tolerations"));
        if (!Json.same(hostPod, next)) {
            context.host().update(BuiltInTypes.PODS, next);
        }
        addEphemeralContainers(pod, hostPod);
    }

    private static void addTolerations(ObjectNode spec, JsonNode wanted) {
        if (wanted.isEmpty()) {
            return;
        }
        ArrayNode present = spec.get("tolerations") instanceof ArrayNode list ? list : spec.putArray("tolerations");
        for (JsonNode toleration : wanted) {
            boolean known = false;
            for (JsonNode other : present) {
                known |= Json.same(other, toleration);
            }
            if (!known) {
                present.add(toleration);
            }
        }
    }

    private void addEphemeralContainers(ObjectNode pod, ObjectNode hostPod) {
        Set<String> present =
                byName(hostPod.path("spec").path("ephemeralContainers")).keySet();
        ObjectNode patch = Json.object();
        ArrayNode added = patch.putObject("spec").putArray("ephemeralContainers");
        for (JsonNode container : pod.path("spec").path("ephemeralContainers")) {
            if (!present.contains(container.path("name").asString("")) && !refusesContainer(pod, container)) {
                added.add(translator.container(pod, container, surroundings(pod)));
            }
        }
        if (added.isEmpty()) {
            return;
        }
        context.host()
                .patch(
                        BuiltInTypes.PODS,
                        context.names().namespace(),
                        Metadata.name(hostPod),
                        "ephemeralcontainers",
                        Client.PatchType.STRATEGIC,
                        patch);
    }

    /** A container added later must pass as one that was there from the start. */
    private boolean refusesContainer(ObjectNode pod, JsonNode container) {
        ObjectNode alone = Json.object();
        ObjectNode spec = alone.putObject("spec");
        spec.putArray("ephemeralContainers").add(container);
        spec.set("securityContext", pod.path("spec").path("securityContext"));
        List<String> refusals = policy.refusals(alone);
        String name = container.path("name").asString("");
        if (!refusals.isEmpty() && refused.add(Metadata.uid(pod) + "/" + name)) {
            context.warn(
                    pod,
                    "SyncWarning",
                    "Container " + name + " is not synced to the host: " + String.join("; ", refusals));
        }
        return !refusals.isEmpty();
    }

    private Surroundings surroundings(ObjectNode pod) {
        Map<String, String> labels = context.tenantCache()
                .get(BuiltInTypes.NAMESPACES, "", Metadata.namespace(pod))
                .map(namespace -> namespace.metadata().labels())
                .orElse(Map.of());
        Optional<String> dns = context.onHost(
                        BuiltInTypes.SERVICES, context.names().of(DNS.namespace(), DNS.name()))
                .filter(context.objects()::isOurs)
                .map(service -> service.path("spec").path("clusterIP").asString(""))
                .filter(address -> !address.isEmpty() && !address.equals("None"));
        return new Surroundings(labels, context.options().apiAddress(), dns);
    }

    /** The identity of all of the tenant's pods, which has no rights and no token. */
    private void ensureServiceAccount() {
        if (!context.config().pods().serviceAccountName().isEmpty()) {
            return;
        }
        String name = context.names().workloadServiceAccount();
        if (context.hostCache()
                .get(BuiltInTypes.SERVICE_ACCOUNTS, context.names().namespace(), name)
                .isPresent()) {
            return;
        }
        ObjectNode account = Json.object();
        account.put("kind", "ServiceAccount").put("apiVersion", "v1");
        Metadata.setName(account, name);
        Metadata.setNamespace(account, context.names().namespace());
        Metadata.setLabel(account, Marks.MANAGED_BY, context.names().managedBy());
        context.options().owner().ifPresent(owner -> Metadata.setOwnerReferences(account, List.of(owner)));
        account.put("automountServiceAccountToken", false);
        try {
            context.host().create(BuiltInTypes.SERVICE_ACCOUNTS, context.names().namespace(), account);
        } catch (ApiException e) {
            if (e.reason() != StatusReason.AlreadyExists) {
                throw e;
            }
        }
    }

    private static Map<String, JsonNode> byName(JsonNode list) {
        Map<String, JsonNode> named = new java.util.LinkedHashMap<>();
        list.forEach(item -> named.put(item.path("name").asString(""), item));
        return named;
    }
}
