package io.atoll.controllers;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a Job's pods ended, added up from its status and from the pods whose end has not been counted yet. Lives for one
 * reconcile; not thread-safe.
 */
final class JobTally {
    final JobSpec spec;
    final List<ObjectNode> pods;
    final Set<String> uncountedSucceeded;
    final Set<String> uncountedFailed;
    final IndexSet completedIndexes;
    final IndexSet failedIndexes;
    /** Pods whose end is known and which may go once it is counted. */
    final List<ObjectNode> ended = new ArrayList<>();
    /** Failures that have been seen in this reconcile for the first time. */
    final List<ObjectNode> newFailures = new ArrayList<>();

    boolean newSuccess;
    private String failJobMessage = "";
    private final int countedSucceeded;
    private final int countedFailed;

    private JobTally(JobSpec spec, JsonNode status, List<ObjectNode> pods) {
        this.spec = spec;
        this.pods = pods;
        int bound = spec.completions().orElse(0);
        uncountedSucceeded = strings(status.path("uncountedTerminatedPods").path("succeeded"));
        uncountedFailed = strings(status.path("uncountedTerminatedPods").path("failed"));
        completedIndexes = IndexSet.parse(status.path("completedIndexes").asString(""), bound);
        failedIndexes = IndexSet.parse(status.path("failedIndexes").asString(""), bound);
        countedSucceeded = status.path("succeeded").asInt(0);
        countedFailed = status.path("failed").asInt(0);
    }

    /** @param removedFinalizer uids of pods that are counted, though the cache may not show it yet */
    static JobTally of(
            JobSpec spec, JsonNode status, List<ObjectNode> pods, Predicate<String> removedFinalizer, boolean failing) {
        JobTally tally = new JobTally(spec, status, pods);
        for (ObjectNode pod : pods) {
            if (JobPods.tracked(pod) && !removedFinalizer.test(Metadata.uid(pod))) {
                tally.look(pod, failing);
            }
        }
        if (spec.backoffLimitPerIndex().isPresent()) {
            tally.countFailedIndexes();
        }
        return tally;
    }

    private void look(ObjectNode pod, boolean failing) {
        boolean failed = JobPods.countsAsFailed(pod, spec);
        if (Pods.succeeded(pod)) {
            ended.add(pod);
            addSucceeded(pod);
        } else if (failed || failing) {
            ended.add(pod);
            addFailed(pod, failed);
        }
    }

    private void addSucceeded(ObjectNode pod) {
        String uid = Metadata.uid(pod);
        if (!spec.indexed()) {
            newSuccess |= uncountedSucceeded.add(uid);
            return;
        }
        int index = JobPods.index(pod);
        if (index >= 0 && index < spec.completions().orElse(0) && !completedIndexes.contains(index)) {
            completedIndexes.add(index);
            newSuccess = true;
        }
    }

    private void addFailed(ObjectNode pod, boolean real) {
        String uid = Metadata.uid(pod);
        if (uncountedFailed.contains(uid)) {
            return;
        }
        JobFailurePolicy.Verdict verdict = spec.failurePolicy().judge(pod);
        switch (verdict.action()) {
            case IGNORE -> {
                return;
            }
            case FAIL_JOB -> failJobMessage = failJobMessage.isEmpty() ? verdict.message() : failJobMessage;
            case FAIL_INDEX -> failIndex(pod);
            case COUNT -> {}
        }
        uncountedFailed.add(uid);
        if (real) {
            newFailures.add(pod);
        }
    }

    private void failIndex(ObjectNode pod) {
        int index = JobPods.index(pod);
        if (spec.backoffLimitPerIndex().isPresent() && index >= 0) {
            failedIndexes.add(index);
        }
    }

    /** An index has failed when a pod of it fails that carries as many failures as may be. */
    private void countFailedIndexes() {
        int limit = spec.backoffLimitPerIndex().orElse(0);
        for (ObjectNode pod : newFailures) {
            int index = JobPods.index(pod);
            if (index >= 0 && failures(pod) >= limit && !completedIndexes.contains(index)) {
                failedIndexes.add(index);
            }
        }
    }

    /** How many pods of its index had failed before this one. */
    static int failures(JsonNode pod) {
        try {
            return Integer.parseInt(Metadata.annotation(pod, "batch.kubernetes.io/job-index-failure-count"));
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    int succeeded() {
        return spec.indexed() ? completedIndexes.size() : countedSucceeded + uncountedSucceeded.size();
    }

    int failed() {
        return countedFailed + uncountedFailed.size();
    }

    /** Why the failure policy fails the Job; empty when it does not. */
    Optional<String> failsByPolicy() {
        return failJobMessage.isEmpty() ? Optional.empty() : Optional.of(failJobMessage);
    }

    List<ObjectNode> active() {
        return pods.stream().filter(Pods::active).toList();
    }

    int terminating() {
        return (int) pods.stream().filter(Pods::terminating).count();
    }

    int ready() {
        return (int) active().stream().filter(Pods::ready).count();
    }

    /** Indexes that a pod works on. */
    Map<Integer, ObjectNode> activeIndexes() {
        Map<Integer, ObjectNode> indexes = new HashMap<>();
        for (ObjectNode pod : pods) {
            if (Pods.active(pod) || (spec.replacesOnlyFailed() && Pods.terminating(pod))) {
                indexes.put(JobPods.index(pod), pod);
            }
        }
        return indexes;
    }

    /** Writes the counts as they stand, ends that are not settled listed by uid. */
    void writeUnsettled(ObjectNode status) {
        writeCounts(status, countedSucceeded, countedFailed);
        ObjectNode uncounted = Json.object();
        putAll(uncounted, "succeeded", uncountedSucceeded);
        putAll(uncounted, "failed", uncountedFailed);
        status.set("uncountedTerminatedPods", uncounted);
    }

    /** Writes the counts once nothing keeps the ended pods any more. */
    void writeSettled(ObjectNode status) {
        writeCounts(status, succeeded(), failed());
        status.set("uncountedTerminatedPods", Json.object());
    }

    private void writeCounts(ObjectNode status, int succeeded, int failed) {
        ReplicaSetStatus.putOrRemove(status, "active", active().size());
        status.put("ready", ready());
        status.put("terminating", terminating());
        ReplicaSetStatus.putOrRemove(status, "succeeded", spec.indexed() ? completedIndexes.size() : succeeded);
        ReplicaSetStatus.putOrRemove(status, "failed", failed);
        if (spec.indexed()) {
            putText(status, "completedIndexes", completedIndexes.toString());
        }
        if (spec.backoffLimitPerIndex().isPresent()) {
            status.put("failedIndexes", failedIndexes.toString());
        }
    }

    private static void putText(ObjectNode status, String field, String text) {
        if (text.isEmpty()) {
            status.remove(field);
        } else {
            status.put(field, text);
        }
    }

    private static void putAll(ObjectNode node, String field, Set<String> values) {
        if (!values.isEmpty()) {
            ArrayNode array = node.putArray(field);
            values.forEach(array::add);
        }
    }

    private static Set<String> strings(JsonNode array) {
        Set<String> strings = new LinkedHashSet<>();
        array.forEach(item -> strings.add(item.asString("")));
        return strings;
    }
}
