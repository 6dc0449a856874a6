package io.atoll.controllers;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a Job asks for. Immutable.
 *
 * @param completions empty for a work queue: done when one pod has succeeded and the others have ended
 * @param replacesOnlyFailed a pod on its way out is replaced only once it has ended
 */
record JobSpec(
        int parallelism,
        Optional<Integer> completions,
        boolean indexed,
        int backoffLimit,
        Optional<Integer> backoffLimitPerIndex,
        Optional<Integer> maxFailedIndexes,
        Optional<Long> activeDeadlineSeconds,
        boolean suspended,
        boolean replacesOnlyFailed,
        boolean restartsOnFailure,
        JobFailurePolicy failurePolicy,
        JsonNode successPolicy) {

    static JobSpec of(ObjectNode job) {
        JsonNode spec = job.path("spec");
        boolean indexed = spec.path("completionMode").asString("").equals("Indexed");
        JobFailurePolicy policy = JobFailurePolicy.of(spec.path("podFailurePolicy"));
        String replacement = spec.path("podReplacementPolicy").asString("");
        Optional<Integer> perIndex = integer(spec.path("backoffLimitPerIndex"));
        return new JobSpec(
                spec.path("parallelism").asInt(1),
                integer(spec.path("completions")),
                indexed,
                spec.path("backoffLimit").asInt(perIndex.isPresent() ? Integer.MAX_VALUE : 6),
                indexed ? perIndex : Optional.empty(),
                integer(spec.path("maxFailedIndexes")),
                integer(spec.path("activeDeadlineSeconds")).map(Integer::longValue),
                spec.path("suspend").asBoolean(false),
                replacement.isEmpty() ? policy.present() : replacement.equals("Failed"),
                spec.path("template")
                        .path("spec")
                        .path("restartPolicy")
                        .asString("")
                        .equals("OnFailure"),
                policy,
                spec.path("successPolicy"));
    }

    private static Optional<Integer> integer(JsonNode node) {
        return node.isNumber() ? Optional.of(node.asInt(0)) : Optional.empty();
    }
}
