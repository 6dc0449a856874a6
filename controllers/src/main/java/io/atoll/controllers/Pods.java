package io.atoll.controllers;

import io.atoll.model.Metadata;
import io.atoll.model.pod.PodPhase;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Questions that controllers ask of pods. Stateless. */
final class Pods {
    private Pods() {}

    static boolean succeeded(JsonNode pod) {
        return PodPhase.of(pod).equals(PodPhase.SUCCEEDED);
    }

    static boolean failed(JsonNode pod) {
        return PodPhase.of(pod).equals(PodPhase.FAILED);
    }

    /** All containers have ended for good. */
    static boolean terminal(JsonNode pod) {
        return PodPhase.terminal(pod);
    }

    /** Counts towards replicas. */
    static boolean active(JsonNode pod) {
        return !terminal(pod) && !Metadata.deleting(pod);
    }

    /** Still there, but on its way out. */
    static boolean terminating(JsonNode pod) {
        return !terminal(pod) && Metadata.deleting(pod);
    }

    static boolean scheduled(JsonNode pod) {
        return !pod.path("spec").path("nodeName").asString("").isEmpty();
    }

    static boolean ready(JsonNode pod) {
        return Conditions.isTrue(pod.path("status"), "Ready");
    }

    /** Since when it has been ready, if it is. */
    static Optional<Instant> readySince(JsonNode pod) {
        return Conditions.find(pod.path("status"), "Ready")
                .filter(condition -> condition.path("status").asString("").equals("True"))
                .map(condition -> time(condition.path("lastTransitionTime")));
    }

    /** Ready for at least this long. */
    static boolean available(JsonNode pod, long minReadySeconds, Instant now) {
        Optional<Instant> since = readySince(pod);
        return since.isPresent()
                && (minReadySeconds <= 0
                        || !since.get().plusSeconds(minReadySeconds).isAfter(now));
    }

    /** How long until a ready pod becomes available; empty when it is, or is not ready. */
    static Optional<Duration> untilAvailable(JsonNode pod, long minReadySeconds, Instant now) {
        return readySince(pod)
                .map(since -> Duration.between(now, since.plusSeconds(minReadySeconds)))
                .filter(Duration::isPositive);
    }

    /** Restarts of the container that restarted most. */
    static int restarts(JsonNode pod) {
        int most = 0;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            most = Math.max(most, container.path("restartCount").asInt(0));
        }
        return most;
    }

    /** A time field; the epoch when it is missing or makes no sense. */
    static Instant time(JsonNode field) {
        String text = field.asString("");
        if (text.isEmpty()) {
            return Instant.EPOCH;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeException _) {
            return Instant.EPOCH;
        }
    }
}
