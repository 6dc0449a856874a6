package io.atoll.model.pod;

import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The containers of a pod by name. Stateless; any thread. */
public final class PodContainers {
    private static final String DEFAULT = "kubectl.kubernetes.io/default-container";
    private static final String MAIN = "containers";
    private static final String INIT = "initContainers";
    private static final List<String> LISTS = List.of(MAIN, INIT, "ephemeralContainers");

    private PodContainers() {}

    /**
     * The container that a request for logs or a command means: the one it names, else the one that the usual annotation
     * names, else the only one.
     *
     * @param asked empty when the request names none
     * @throws ApiException 400 when that is none, or cannot be told
     */
    public static String meant(ObjectNode pod, String asked) {
        if (!asked.isEmpty()) {
            if (find(pod, asked).isEmpty()) {
                throw ApiException.badRequest("container " + asked + " is not valid for pod " + Metadata.name(pod));
            }
            return asked;
        }
        List<String> names = names(pod, MAIN);
        String marked = Metadata.annotation(pod, DEFAULT);
        if (names.contains(marked)) {
            return marked;
        }
        if (names.size() == 1) {
            return names.getFirst();
        }
        List<String> init = names(pod, INIT);
        String others = init.isEmpty() ? "" : " or one of the init containers: [" + String.join(" ", init) + "]";
        throw ApiException.badRequest("a container name must be specified for pod " + Metadata.name(pod)
                + ", choose one of: [" + String.join(" ", names) + "]" + others);
    }

    /** A container of any sort. */
    public static Optional<JsonNode> find(ObjectNode pod, String name) {
        return LISTS.stream()
                .flatMap(list -> pod.path("spec").path(list).valueStream())
                .filter(container -> container.path("name").asString("").equals(name))
                .findFirst();
    }

    private static List<String> names(ObjectNode pod, String list) {
        List<String> names = new ArrayList<>();
        pod.path("spec")
                .path(list)
                .forEach(container -> names.add(container.path("name").asString("")));
        return names;
    }
}
