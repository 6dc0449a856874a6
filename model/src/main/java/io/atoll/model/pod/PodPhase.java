package io.atoll.model.pod;

import tools.jackson.databind.JsonNode;

/** {@code status.phase} of a pod. Stateless; any thread. */
public final class PodPhase {
    public static final String PENDING = "Pending";
    public static final String SUCCEEDED = "Succeeded";
    public static final String FAILED = "Failed";

    private PodPhase() {}

    /** The phase; a pod without one is pending. */
    public static String of(JsonNode pod) {
        return pod.path("status").path("phase").asString(PENDING);
    }

    /** All containers have ended for good. */
    public static boolean terminal(JsonNode pod) {
        return terminal(of(pod));
    }

    /** Whether it is a phase that a pod never leaves. */
    public static boolean terminal(String phase) {
        return phase.equals(SUCCEEDED) || phase.equals(FAILED);
    }
}
