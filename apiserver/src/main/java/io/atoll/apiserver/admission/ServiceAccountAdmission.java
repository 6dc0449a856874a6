package io.atoll.apiserver.admission;

import io.atoll.apiserver.admission.AdmissionRequest.Operation;
import io.atoll.apiserver.registry.Registry;
import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Names;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Gives each pod a service account and, unless it declines, that account's token in a projected volume. */
public final class ServiceAccountAdmission implements Admission {
    private static final GroupResource ACCOUNTS = new GroupResource("", "serviceaccounts");
    private static final String MIRROR = "kubernetes.io/config.mirror";
    private static final String MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final int TOKEN_SECONDS = 3607;

    private final Registry registry;

    public ServiceAccountAdmission(Registry registry) {
        this.registry = registry;
    }

    @Override
    public void admit(AdmissionRequest request) {
        ObjectNode pod = request.object();
        if (pod == null
                || request.operation() != Operation.CREATE
                || !request.is("", "pods")
                || !Metadata.annotation(pod, MIRROR).isEmpty()) {
            return;
        }
        ObjectNode spec = Json.child(pod, "spec");
        String name = spec.path("serviceAccountName").asString("");
        if (name.isEmpty()) {
            name = "default";
            spec.put("serviceAccountName", name);
            spec.put("serviceAccount", name);
        }
        String wanted = name;
        ObjectNode account = registry.find(ACCOUNTS, request.namespace(), name)
                .orElseThrow(() -> ApiException.forbidden(
                        request.resource().type().groupResource(),
                        request.name(),
                        "error looking up service account " + request.namespace() + "/" + wanted + ": serviceaccount \""
                                + wanted + "\" not found"))
                .tree();
        if (mountsToken(spec, account)) {
            mountToken(spec);
        }
        if (spec.path("imagePullSecrets").isEmpty()
                && !account.path("imagePullSecrets").isEmpty()) {
            spec.set("imagePullSecrets", account.path("imagePullSecrets"));
        }
    }

    private static boolean mountsToken(JsonNode spec, JsonNode account) {
        JsonNode pods = spec.path("automountServiceAccountToken");
        return pods.isBoolean()
                ? pods.booleanValue()
                : account.path("automountServiceAccountToken").asBoolean(true);
    }

    private void mountToken(ObjectNode spec) {
        String volume = "";
        boolean needed = false;
        for (JsonNode present : spec.path("volumes")) {
            if (present.path("name").asString("").startsWith("kube-api-access-")) {
                volume = present.path("name").asString("");
            }
        }
        boolean present = !volume.isEmpty();
        if (!present) {
            volume = Names.generate("kube-api-access-", registry.random());
        }
        for (String field : new String[] {"containers", "initContainers"}) {
            for (JsonNode node : spec.path(field)) {
                if (node instanceof ObjectNode container && !mounted(container)) {
                    ObjectNode mount = container.withArray("volumeMounts").addObject();
                    mount.put("name", volume).put("readOnly", true).put("mountPath", MOUNT_PATH);
                    needed = true;
                }
            }
        }
        if (needed && !present) {
            addVolume(spec, volume);
        }
    }

    private static boolean mounted(JsonNode container) {
        for (JsonNode mount : container.path("volumeMounts")) {
            if (mount.path("mountPath").asString("").equals(MOUNT_PATH)) {
                return true;
            }
        }
        return false;
    }

    private static void addVolume(ObjectNode spec, String name) {
        ObjectNode projected =
                spec.withArray("volumes").addObject().put("name", name).putObject("projected");
        projected.put("defaultMode", 420);
        ArrayNode sources = projected.putArray("sources");
        sources.addObject()
                .putObject("serviceAccountToken")
                .put("expirationSeconds", TOKEN_SECONDS)
                .put("path", "token");
        ObjectNode root = sources.addObject().putObject("configMap").put("name", "kube-root-ca.crt");
        root.putArray("items").addObject().put("key", "ca.crt").put("path", "ca.crt");
        ObjectNode item = sources.addObject()
                .putObject("downwardAPI")
                .putArray("items")
                .addObject()
                .put("path", "namespace");
        item.putObject("fieldRef").put("apiVersion", "v1").put("fieldPath", "metadata.namespace");
    }
}
