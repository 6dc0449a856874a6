package io.atoll.controllers;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Names and shapes of a StatefulSet's pods and claims. Stateless. */
final class StatefulPods {
    private StatefulPods() {}

    /** -1 for a pod whose name is not one of the set's. */
    static int ordinal(ObjectNode set, JsonNode pod) {
        String prefix = Metadata.name(set) + "-";
        String name = Metadata.name(pod);
        if (!name.startsWith(prefix)) {
            return -1;
        }
        try {
            return Integer.parseInt(name.substring(prefix.length()));
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    /** @param revision the ControllerRevision that says what the pod looks like */
    static ObjectNode create(ObjectNode set, ObjectNode revision, int ordinal) {
        ObjectNode pod = PodControl.fromTemplate(RevisionHistory.template(revision), set);
        String name = Metadata.name(set) + "-" + ordinal;
        ObjectNode metadata = Metadata.of(pod);
        metadata.remove("generateName");
        metadata.put("name", name);
        Metadata.setLabel(pod, "statefulset.kubernetes.io/pod-name", name);
        Metadata.setLabel(pod, "apps.kubernetes.io/pod-index", Integer.toString(ordinal));
        Metadata.setLabel(pod, RevisionHistory.POD_LABEL, Metadata.name(revision));
        ObjectNode spec = Json.child(pod, "spec");
        spec.put("hostname", name);
        String service = set.path("spec").path("serviceName").asString("");
        if (!service.isEmpty()) {
            spec.put("subdomain", service);
        }
        mountClaims(set, spec, ordinal);
        return pod;
    }

    private static void mountClaims(ObjectNode set, ObjectNode spec, int ordinal) {
        Set<String> claims = new HashSet<>();
        ArrayNode volumes = Json.array();
        for (JsonNode template : set.path("spec").path("volumeClaimTemplates")) {
            String name = Metadata.name(template);
            claims.add(name);
            volumes.addObject()
                    .put("name", name)
                    .putObject("persistentVolumeClaim")
                    .put("claimName", claimName(set, name, ordinal));
        }
        for (JsonNode volume : spec.path("volumes")) {
            if (!claims.contains(volume.path("name").asString(""))) {
                volumes.add(volume);
            }
        }
        if (!volumes.isEmpty()) {
            spec.set("volumes", volumes);
        }
    }

    static String claimName(ObjectNode set, String template, int ordinal) {
        return template + "-" + Metadata.name(set) + "-" + ordinal;
    }

    static ObjectNode claim(ObjectNode set, JsonNode template, int ordinal) {
        ObjectNode claim = ((ObjectNode) template).deepCopy();
        claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
        claim.remove("status");
        ObjectNode metadata = Metadata.of(claim);
        metadata.put("name", claimName(set, Metadata.name(template), ordinal));
        metadata.put("namespace", Metadata.namespace(set));
        JsonNode labels = set.path("spec").path("selector").path("matchLabels");
        labels.properties()
                .forEach(entry -> Metadata.setLabel(
                        claim, entry.getKey(), entry.getValue().asString("")));
        return claim;
    }

    static String revision(JsonNode pod) {
        return Metadata.label(pod, RevisionHistory.POD_LABEL);
    }
}
