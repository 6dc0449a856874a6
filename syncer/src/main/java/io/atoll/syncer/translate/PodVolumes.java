package io.atoll.syncer.translate;

import io.atoll.model.Metadata;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Renames what a pod's volumes refer to. Tokens of service accounts come from a Secret of the pod. Immutable. */
final class PodVolumes {
    private static final int TOKEN_MODE_DEFAULT = 0644;

    private final HostNames names;

    PodVolumes(HostNames names) {
        this.names = names;
    }

    void translate(ObjectNode pod, ObjectNode spec) {
        String namespace = Metadata.namespace(pod);
        for (ObjectNode pullSecret : PodSpecs.objects(spec, "imagePullSecrets")) {
            rename(pullSecret, "name", namespace);
        }
        int tokens = 0;
        for (ObjectNode volume : PodSpecs.objects(spec, "volumes")) {
            configMap(volume.path("configMap"), namespace);
            rename(volume.path("secret"), "secretName", namespace);
            rename(volume.path("persistentVolumeClaim"), "claimName", namespace);
            rename(volume.path("csi").path("nodePublishSecretRef"), "name", namespace);
            PodEnvironment.fields(volume.path("downwardAPI"), new HostLabels(names));
            if (volume.remove("ephemeral") != null) {
                String claim = names.of(namespace, PodReferences.ephemeralClaim(pod, volume));
                volume.putObject("persistentVolumeClaim").put("claimName", claim);
            }
            for (ObjectNode source : PodSpecs.objects(volume.path("projected"), "sources")) {
                configMap(source.path("configMap"), namespace);
                rename(source.path("secret"), "name", namespace);
                PodEnvironment.fields(source.path("downwardAPI"), new HostLabels(names));
                if (source.get("serviceAccountToken") instanceof ObjectNode token) {
                    source.remove("serviceAccountToken");
                    token(source, token, names.tokens(namespace, Metadata.name(pod)), tokens++);
                }
            }
        }
    }

    /** The key of a pod's n-th token in its Secret. */
    static String tokenKey(int index) {
        return "token-" + index;
    }

    private static void token(ObjectNode source, ObjectNode token, String secret, int index) {
        ObjectNode replaced = source.putObject("secret").put("name", secret);
        ArrayNode items = replaced.putArray("items");
        items.addObject()
                .put("key", tokenKey(index))
                .put("path", token.path("path").asString("token"))
                .put("mode", TOKEN_MODE_DEFAULT);
    }

    private void configMap(JsonNode reference, String namespace) {
        if (reference instanceof ObjectNode object
                && object.path("name").asString("").equals(PodReferences.ROOT_CERTIFICATE)) {
            object.put("name", names.rootCertificate());
        } else {
            rename(reference, "name", namespace);
        }
    }

    private void rename(JsonNode reference, String field, String namespace) {
        String name = reference.path(field).asString("");
        if (!name.isEmpty() && reference instanceof ObjectNode object) {
            object.put(field, names.of(namespace, name));
        }
    }

    /** The service-account tokens that a pod asks for, in the order of {@link #tokenKey}. */
    static List<ObjectNode> tokens(JsonNode pod) {
        List<ObjectNode> tokens = new java.util.ArrayList<>();
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            for (JsonNode source : volume.path("projected").path("sources")) {
                if (source.get("serviceAccountToken") instanceof ObjectNode token) {
                    tokens.add(token);
                }
            }
        }
        return tokens;
    }
}
