package io.atoll.syncer.translate;

import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The objects of its own namespace that a pod names. Immutable.
 *
 * @param serviceAccountTokens whether it asks for a token of its service account
 */
public record PodReferences(
        Set<String> configMaps, Set<String> secrets, Set<String> claims, boolean serviceAccountTokens) {
    public static final String ROOT_CERTIFICATE = "kube-root-ca.crt";

    public PodReferences {
        configMaps = Set.copyOf(configMaps);
        secrets = Set.copyOf(secrets);
        claims = Set.copyOf(claims);
    }

    public static PodReferences of(JsonNode pod) {
        Set<String> configMaps = new LinkedHashSet<>();
        Set<String> secrets = new LinkedHashSet<>();
        Set<String> claims = new LinkedHashSet<>();
        boolean tokens = false;
        JsonNode spec = pod.path("spec");
        for (JsonNode pullSecret : spec.path("imagePullSecrets")) {
            add(secrets, pullSecret.path("name"));
        }
        for (JsonNode volume : spec.path("volumes")) {
            add(configMaps, volume.path("configMap").path("name"));
            add(secrets, volume.path("secret").path("secretName"));
            add(secrets, volume.path("csi").path("nodePublishSecretRef").path("name"));
            add(claims, volume.path("persistentVolumeClaim").path("claimName"));
            if (volume.has("ephemeral")) {
                claims.add(ephemeralClaim(pod, volume));
            }
            for (JsonNode source : volume.path("projected").path("sources")) {
                add(configMaps, source.path("configMap").path("name"));
                add(secrets, source.path("secret").path("name"));
                tokens |= source.has("serviceAccountToken");
            }
        }
        for (String list : PodSpecs.CONTAINER_LISTS) {
            for (JsonNode container : spec.path(list)) {
                for (JsonNode variable : container.path("env")) {
                    add(
                            configMaps,
                            variable.path("valueFrom").path("configMapKeyRef").path("name"));
                    add(secrets, variable.path("valueFrom").path("secretKeyRef").path("name"));
                }
                for (JsonNode source : container.path("envFrom")) {
                    add(configMaps, source.path("configMapRef").path("name"));
                    add(secrets, source.path("secretRef").path("name"));
                }
            }
        }
        return new PodReferences(configMaps, secrets, claims, tokens);
    }

    /** The claim that the tenant's controller makes for an ephemeral volume. */
    static String ephemeralClaim(JsonNode pod, JsonNode volume) {
        return pod.path("metadata").path("name").asString("") + "-"
                + volume.path("name").asString("");
    }

    private static void add(Set<String> names, JsonNode name) {
        if (!name.asString("").isEmpty()) {
            names.add(name.stringValue());
        }
    }
}
