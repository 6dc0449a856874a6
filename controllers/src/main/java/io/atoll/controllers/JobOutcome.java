package io.atoll.controllers;

import io.atoll.model.Metadata;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Whether a Job is over, and why. Immutable. */
record JobOutcome(boolean success, String reason, String message) {
    static final String COMPLETE = "Complete";
    static final String FAILED = "Failed";
    static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";
    static final String FAILURE_TARGET = "FailureTarget";

    static boolean finished(JsonNode status) {
        return Conditions.isTrue(status, COMPLETE) || Conditions.isTrue(status, FAILED);
    }

    /** What has been decided before and written into the status. */
    static Optional<JobOutcome> decided(JsonNode status) {
        return read(status, FAILURE_TARGET, false).or(() -> read(status, SUCCESS_CRITERIA_MET, true));
    }

    private static Optional<JobOutcome> read(JsonNode status, String type, boolean success) {
        return Conditions.find(status, type)
                .filter(condition -> condition.path("status").asString("").equals("True"))
                .map(condition -> new JobOutcome(
                        success,
                        condition.path("reason").asString(""),
                        condition.path("message").asString("")));
    }

    static Optional<JobOutcome> decide(ObjectNode job, JobTally tally, Instant now) {
        Optional<JobOutcome> decided = decided(job.path("status"));
        if (decided.isPresent()) {
            return decided;
        }
        JobSpec spec = tally.spec;
        if (tally.failsByPolicy().isPresent()) {
            return failure("PodFailurePolicy", tally.failsByPolicy().get());
        }
        if (tally.failed() > spec.backoffLimit() || restartedTooOften(tally)) {
            return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
        }
        if (deadlinePassed(job, spec, now)) {
            return failure("DeadlineExceeded", "Job was active longer than specified deadline");
        }
        Optional<JobOutcome> byIndexes = byIndexes(tally);
        if (byIndexes.isPresent()) {
            return byIndexes;
        }
        return complete(tally)
                ? Optional.of(new JobOutcome(true, "CompletionsReached", "Reached expected number of succeeded pods"))
                : Optional.empty();
    }

    private static Optional<JobOutcome> failure(String reason, String message) {
        return Optional.of(new JobOutcome(false, reason, message));
    }

    private static Optional<JobOutcome> byIndexes(JobTally tally) {
        JobSpec spec = tally.spec;
        int rule = 0;
        for (JsonNode criteria : spec.successPolicy().path("rules")) {
            if (met(criteria, tally)) {
                return Optional.of(new JobOutcome(true, "SuccessPolicy", "Matched rules at index " + rule));
            }
            rule++;
        }
        if (spec.backoffLimitPerIndex().isEmpty()) {
            return Optional.empty();
        }
        int failed = tally.failedIndexes.size();
        if (spec.maxFailedIndexes().isPresent()
                && failed > spec.maxFailedIndexes().get()) {
            return failure(
                    "MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
        }
        boolean allEnded =
                failed + tally.completedIndexes.size() >= spec.completions().orElse(0);
        return failed > 0 && allEnded ? failure("FailedIndexes", "Job has failed indexes") : Optional.empty();
    }

    private static boolean met(JsonNode criteria, JobTally tally) {
        int bound = tally.spec.completions().orElse(0);
        String wanted = criteria.path("succeededIndexes").asString("");
        JsonNode count = criteria.path("succeededCount");
        if (wanted.isEmpty()) {
            return count.isNumber() && tally.completedIndexes.size() >= count.asInt(0);
        }
        IndexSet indexes = IndexSet.parse(wanted, bound);
        int done = 0;
        for (int index = 0; index < bound; index++) {
            done += indexes.contains(index) && tally.completedIndexes.contains(index) ? 1 : 0;
        }
        return done >= (count.isNumber() ? count.asInt(0) : indexes.size());
    }

    private static boolean complete(JobTally tally) {
        boolean quiet = tally.active().isEmpty();
        return quiet
                && tally.spec
                        .completions()
                        .map(wanted -> tally.succeeded() >= wanted)
                        .orElse(tally.succeeded() > 0);
    }

    /** Pods that are restarted in place do not fail: their restarts count. */
    private static boolean restartedTooOften(JobTally tally) {
        if (!tally.spec.restartsOnFailure()) {
            return false;
        }
        int restarts = tally.active().stream().mapToInt(JobOutcome::restarts).sum();
        int limit = tally.spec.backoffLimit();
        return limit == 0 ? restarts > 0 : restarts >= limit;
    }

    private static int restarts(ObjectNode pod) {
        int sum = 0;
        for (String field : List.of("initContainerStatuses", "containerStatuses")) {
            for (JsonNode container : pod.path("status").path(field)) {
                sum += container.path("restartCount").asInt(0);
            }
        }
        return sum;
    }

    private static boolean deadlinePassed(ObjectNode job, JobSpec spec, Instant now) {
        String start = job.path("status").path("startTime").asString("");
        return spec.activeDeadlineSeconds().isPresent()
                && !start.isEmpty()
                && !spec.suspended()
                && !Metadata.deleting(job)
                && !Pods.time(job.path("status").path("startTime"))
                        .plusSeconds(spec.activeDeadlineSeconds().get())
                        .isAfter(now);
    }

    /** The condition that says the Job will end so, before its pods have ended. */
    String target() {
        return success ? SUCCESS_CRITERIA_MET : FAILURE_TARGET;
    }

    String end() {
        return success ? COMPLETE : FAILED;
    }
}
