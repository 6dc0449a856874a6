package io.atoll.scheduler.admission;

import io.atoll.model.ApiException;
import io.atoll.model.GroupResource;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Names;
import io.atoll.scheduler.crd.SchedulingKeys;
import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What new pods that ask for GPUs get added. Names of variables and config maps are KAI's. Stateless. */
public final class PodCompletion {
    private static final GroupResource PODS = new GroupResource("", "pods");
    private static final int NAME_CHARS_MAX = 40;
    private static final int RANDOM_CHARS = 7;
    private static final List<String> VARIABLES = List.of("NVIDIA_VISIBLE_DEVICES", "RUNAI_NUM_OF_GPUS", "GPU_PORTION");

    private PodCompletion() {}

    /**
     * Changes a pod in place.
     *
     * @throws ApiException 403 when the container that it means to share a GPU is not there
     */
    public static void complete(ObjectNode pod, PodAdmissionOptions options, RandomGenerator random) {
        if (!options.admits(pod)) {
            return;
        }
        ObjectNode spec = Json.child(pod, "spec");
        boolean shares = shares(pod);
        boolean unclassed = spec.path("runtimeClassName").asString("").isEmpty();
        if (!options.runtimeClass().isEmpty() && unclassed && (shares || wholeGpus(spec))) {
            spec.put("runtimeClassName", options.runtimeClass());
        }
        if (!shares) {
            return;
        }
        Place place = container(pod);
        if (options.sharingConfigMaps()
                && Metadata.annotation(pod, SchedulingKeys.SHARED_GPU_CONFIG_MAP)
                        .isEmpty()) {
            String prefix = prefix(pod, random);
            Metadata.setAnnotation(pod, SchedulingKeys.SHARED_GPU_CONFIG_MAP, prefix);
            readConfigMaps(spec, place, prefix + "-" + place.marker());
        }
    }

    /**
     * Where the container that shares a GPU stands.
     *
     * @param marker the end of its config map's name
     */
    private record Place(ObjectNode container, String marker) {}

    private static boolean shares(ObjectNode pod) {
        JsonNode annotations = pod.path("metadata").path("annotations");
        return annotations.has(SchedulingKeys.GPU_FRACTION) || annotations.has(SchedulingKeys.GPU_MEMORY);
    }

    private static boolean wholeGpus(JsonNode spec) {
        return List.of("containers", "initContainers").stream()
                .flatMap(list -> spec.path(list).valueStream())
                .anyMatch(
                        container -> container.path("resources").path("limits").has(SchedulingKeys.GPU));
    }

    /** The one that the annotation names, else the first. */
    private static Place container(ObjectNode pod) {
        JsonNode spec = pod.path("spec");
        String name = Metadata.annotation(pod, SchedulingKeys.GPU_FRACTION_CONTAINER);
        for (String list : List.of("containers", "initContainers")) {
            int index = 0;
            for (JsonNode container : spec.path(list)) {
                if (name.isEmpty() || container.path("name").asString("").equals(name)) {
                    return new Place((ObjectNode) container, (list.equals("containers") ? "" : "i") + index);
                }
                index++;
            }
        }
        throw ApiException.forbidden(
                PODS,
                Metadata.name(pod),
                "annotation " + SchedulingKeys.GPU_FRACTION_CONTAINER + " names no container of the pod: \"" + name
                        + "\"");
    }

    private static String prefix(ObjectNode pod, RandomGenerator random) {
        List<Metadata.OwnerReference> owners = Metadata.ownerReferences(pod);
        String name = owners.isEmpty() ? Metadata.name(pod) : owners.getFirst().name();
        String head = name.substring(0, Math.min(name.length(), NAME_CHARS_MAX));
        StringBuilder tail = new StringBuilder();
        while (tail.length() < RANDOM_CHARS) {
            tail.append(Names.generate("", random));
        }
        return head + "-" + tail.substring(0, RANDOM_CHARS) + "-shared-gpu";
    }

    /** The maps are made when the pod is bound; until then the kubelet waits for them. */
    private static void readConfigMaps(ObjectNode spec, Place place, String map) {
        ArrayNode variables = place.container().withArray("env");
        for (String variable : VARIABLES) {
            for (int i = variables.size() - 1; i >= 0; i--) {
                if (variables.get(i).path("name").asString("").equals(variable)) {
                    variables.remove(i);
                }
            }
            ObjectNode added = variables.addObject().put("name", variable);
            added.putObject("valueFrom")
                    .putObject("configMapKeyRef")
                    .put("name", map)
                    .put("key", variable);
        }
        place.container()
                .withArray("envFrom")
                .addObject()
                .putObject("configMapRef")
                .put("name", map + "-evar");
        ObjectNode volume = spec.withArray("volumes").addObject().put("name", "shared-gpu-" + place.marker());
        volume.putObject("configMap").put("name", map);
    }
}
