package io.atoll.apiserver.registry;

import io.atoll.model.ApiException;
import io.atoll.model.GroupVersionKind;
import tools.jackson.databind.JsonNode;

/**
 * How a client wants something deleted. Immutable.
 *
 * @param gracePeriodSeconds negative when it does not say
 * @param uid empty, or the only UID to delete
 * @param resourceVersion empty, or the only version to delete
 */
public record DeleteOptions(
        long gracePeriodSeconds, Propagation propagation, String uid, String resourceVersion, boolean dryRun) {
    public static final DeleteOptions DEFAULT = new DeleteOptions(-1, Propagation.UNSAID, "", "", false);

    /** What happens to dependents. */
    public enum Propagation {
        /** As the object's finalizers or else its kind say. */
        UNSAID,
        ORPHAN,
        BACKGROUND,
        FOREGROUND;

        static Propagation of(String text) {
            return switch (text) {
                case "" -> UNSAID;
                case "Orphan" -> ORPHAN;
                case "Background" -> BACKGROUND;
                case "Foreground" -> FOREGROUND;
                default -> {
                    Mistakes mistakes = new Mistakes();
                    mistakes.unsupported(
                            "propagationPolicy", text, java.util.List.of("Foreground", "Background", "Orphan", "nil"));
                    throw ApiException.invalid(new GroupVersionKind("", "v1", "DeleteOptions"), "", mistakes.causes());
                }
            };
        }
    }

    /** Reads a {@code meta/v1 DeleteOptions}. */
    public static DeleteOptions of(JsonNode body) {
        JsonNode orphan = body.path("orphanDependents");
        String policy = body.path("propagationPolicy").asString("");
        Propagation propagation = orphan.isBoolean()
                ? (orphan.booleanValue() ? Propagation.ORPHAN : Propagation.BACKGROUND)
                : Propagation.of(policy);
        JsonNode grace = body.path("gracePeriodSeconds");
        return new DeleteOptions(
                grace.isNumber() ? Math.max(grace.longValue(), 0) : -1,
                propagation,
                body.path("preconditions").path("uid").asString(""),
                body.path("preconditions").path("resourceVersion").asString(""),
                !body.path("dryRun").isEmpty());
    }
}
