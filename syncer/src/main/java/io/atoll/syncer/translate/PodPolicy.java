package io.atoll.syncer.translate;

import io.atoll.syncer.config.TenantConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which pods may go to the host. What is not known to be harmless is refused: a tenant's administrator may create any
 * pod in the tenant, so this is the border. Immutable; any thread.
 */
public final class PodPolicy {
    /** Volumes that reach nothing but the tenant's own objects. {@code hostPath} is looked at by its path. */
    private static final Set<String> VOLUMES = Set.of(
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "hostPath",
            "image",
            "nfs",
            "persistentVolumeClaim",
            "projected",
            "secret");

    private static final Set<String> PROJECTIONS = Set.of("configMap", "downwardAPI", "secret", "serviceAccountToken");

    private final TenantConfig config;

    public PodPolicy(TenantConfig config) {
        this.config = config;
    }

    /** Why the pod must not be synced; empty when it may. */
    public List<String> refusals(ObjectNode pod) {
        JsonNode spec = pod.path("spec");
        List<String> refusals =
                new ArrayList<>(new PodSecurity(config.podSecurityStandard(), this::allowsHostPath).violations(pod));
        if (!refusals.isEmpty()) {
            String all = String.join(", ", refusals);
            refusals.clear();
            refusals.add("violates PodSecurity \"" + config.podSecurityStandard() + ":latest\": " + all);
        }
        for (JsonNode volume : spec.path("volumes")) {
            volume(volume, refusals);
        }
        if (!spec.path("resourceClaims").isEmpty()) {
            refusals.add("spec.resourceClaims: resource claims are not synced");
        }
        return refusals;
    }

    private void volume(JsonNode volume, List<String> refusals) {
        String name = volume.path("name").asString("");
        for (String field : volume.propertyNames()) {
            if (!field.equals("name") && !VOLUMES.contains(field)) {
                refusals.add("volume \"" + name + "\": " + field + " is not synced");
            }
        }
        for (JsonNode source : volume.path("projected").path("sources")) {
            for (String field : source.propertyNames()) {
                if (!PROJECTIONS.contains(field)) {
                    refusals.add("volume \"" + name + "\": projected " + field + " is not synced");
                }
            }
        }
    }

    /** Below one of the allowed folders, and without a way up again. */
    private boolean allowsHostPath(String path) {
        if (List.of(path.split("/")).contains("..")) {
            return false;
        }
        for (String allowed : config.pods().allowedHostPaths()) {
            String folder = allowed.endsWith("/") ? allowed : allowed + "/";
            if (path.equals(allowed) || path.startsWith(folder)) {
                return true;
            }
        }
        return false;
    }
}
