package io.atoll.apiserver.kind;

import io.atoll.model.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Defaults of pods and pod templates that depend on other fields; the constant ones are the schema's. Stateless. */
final class PodDefaults {
    private PodDefaults() {}

    /**
     * Fills them in.
     *
     * @param pod a pod or a template: something with a {@code spec}
     * @param running a pod itself: requests follow limits, service links are on
     */
    static void apply(ObjectNode pod, boolean running) {
        if (!(pod.get("spec") instanceof ObjectNode spec)) {
            return;
        }
        boolean hostNetwork = spec.path("hostNetwork").asBoolean(false);
        for (String field : new String[] {"containers", "initContainers", "ephemeralContainers"}) {
            for (JsonNode node : spec.path(field)) {
                if (node instanceof ObjectNode container) {
                    container(container, hostNetwork, running);
                }
            }
        }
        JsonNode account = spec.path("serviceAccountName");
        if (account.isString()) {
            spec.set("serviceAccount", account);
        } else if (spec.path("serviceAccount").isString()) {
            spec.set("serviceAccountName", spec.path("serviceAccount"));
        }
        for (JsonNode volume : spec.path("volumes")) {
            if (volume instanceof ObjectNode object && object.size() == 1 && object.has("name")) {
                object.putObject("emptyDir");
            }
        }
        if (running && !spec.has("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
    }

    private static void container(ObjectNode container, boolean hostNetwork, boolean running) {
        if (!container.has("imagePullPolicy") && container.has("image")) {
            container.put("imagePullPolicy", pullPolicy(container.path("image").asString("")));
        }
        if (!container.has("resources")) {
            container.putObject("resources");
        }
        for (JsonNode node : container.path("ports")) {
            if (node instanceof ObjectNode port) {
                if (!port.has("protocol")) {
                    port.put("protocol", "TCP");
                }
                if (hostNetwork && !port.has("hostPort")) {
                    port.set("hostPort", port.path("containerPort"));
                }
            }
        }
        if (running && container.path("resources").get("limits") instanceof ObjectNode limits) {
            ObjectNode requests = Json.child((ObjectNode) container.path("resources"), "requests");
            limits.properties().forEach(limit -> {
                if (!requests.has(limit.getKey())) {
                    requests.set(limit.getKey(), limit.getValue());
                }
            });
        }
    }

    /** Always for the tag {@code latest} or none, unless a digest names the image. */
    private static String pullPolicy(String image) {
        if (image.contains("@")) {
            return "IfNotPresent";
        }
        String last = image.substring(image.lastIndexOf('/') + 1);
        int colon = last.indexOf(':');
        return colon < 0 || last.substring(colon + 1).equals("latest") ? "Always" : "IfNotPresent";
    }
}
