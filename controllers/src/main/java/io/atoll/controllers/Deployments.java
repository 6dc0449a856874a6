package io.atoll.controllers;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Questions about Deployments and their ReplicaSets. Stateless. */
final class Deployments {
    static final String REVISION = "deployment.kubernetes.io/revision";
    static final String REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
    static final String DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
    static final String MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";
    static final String HASH_LABEL = "pod-template-hash";

    /** Oldest first. */
    static final Comparator<ObjectNode> BY_AGE = Comparator.<ObjectNode, String>comparing(Metadata::creationTimestamp)
            .thenComparing(Metadata::name);

    private Deployments() {}

    /** What {@code spec.replicas} asks for, of a Deployment or a ReplicaSet. */
    static int replicas(ObjectNode object) {
        return object.path("spec").path("replicas").asInt(1);
    }

    static int sumReplicas(List<ObjectNode> sets) {
        return sets.stream().mapToInt(Deployments::replicas).sum();
    }

    /** Adds a count of all sets' status up. */
    static int sumStatus(List<ObjectNode> sets, String field) {
        return sets.stream()
                .mapToInt(set -> set.path("status").path(field).asInt(0))
                .sum();
    }

    static boolean recreates(ObjectNode deployment) {
        return deployment
                .path("spec")
                .path("strategy")
                .path("type")
                .asString("")
                .equals("Recreate");
    }

    static boolean paused(ObjectNode deployment) {
        return deployment.path("spec").path("paused").asBoolean(false);
    }

    /** Empty when the Deployment does not ask to be told of being stuck. */
    static Optional<Integer> progressDeadlineSeconds(ObjectNode deployment) {
        JsonNode seconds = deployment.path("spec").path("progressDeadlineSeconds");
        return seconds.isNumber() && seconds.asInt(0) != Integer.MAX_VALUE
                ? Optional.of(seconds.asInt(0))
                : Optional.empty();
    }

    static long revision(ObjectNode object) {
        try {
            String revision = Metadata.annotation(object, REVISION);
            return revision.isEmpty() ? 0 : Long.parseLong(revision);
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    /** The set that was made from the Deployment's present template: the oldest, if there are several. */
    static Optional<ObjectNode> newest(ObjectNode deployment, List<ObjectNode> sets) {
        JsonNode wanted = withoutHash(deployment.path("spec").path("template"));
        return sets.stream()
                .sorted(BY_AGE)
                .filter(set -> Json.same(withoutHash(set.path("spec").path("template")), wanted))
                .findFirst();
    }

    private static JsonNode withoutHash(JsonNode template) {
        JsonNode copy = template.deepCopy();
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            // What means nothing must not tell templates apart.
            metadata.remove("creationTimestamp");
            if (metadata.path("labels") instanceof ObjectNode labels) {
                labels.remove(HASH_LABEL);
                if (labels.isEmpty()) {
                    metadata.remove("labels");
                }
            }
            if (metadata.isEmpty()) {
                ((ObjectNode) copy).remove("metadata");
            }
        }
        return copy;
    }

    /** Notes in a set's annotations what its Deployment wants in all; true when that changed something. */
    static boolean noteReplicas(ObjectNode set, int desired, int max) {
        boolean desiredChanged = note(set, DESIRED_REPLICAS, Integer.toString(desired));
        return note(set, MAX_REPLICAS, Integer.toString(max)) || desiredChanged;
    }

    static boolean note(ObjectNode set, String annotation, String value) {
        if (Metadata.annotation(set, annotation).equals(value)) {
            return false;
        }
        Metadata.setAnnotation(set, annotation, value);
        return true;
    }

    /** The newest set with pods wanted, when no more than one has them; the newest of all when none has. */
    static Optional<ObjectNode> onlyActive(Optional<ObjectNode> newest, List<ObjectNode> old) {
        List<ObjectNode> active = old.stream().filter(set -> replicas(set) > 0).toList();
        boolean newestActive = newest.isPresent() && replicas(newest.get()) > 0;
        int count = active.size() + (newestActive ? 1 : 0);
        if (count > 1) {
            return Optional.empty();
        }
        if (count == 1) {
            return newestActive ? newest : Optional.of(active.getFirst());
        }
        return newest.isPresent() ? newest : old.stream().max(BY_AGE);
    }
}
