package io.atoll.controllers;

import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Creates the pods that a Job is short of, and deletes those it has too many. Any thread. */
final class JobWorkforce {
    private static final int CREATIONS_MAX = 500;

    private final PodControl podControl;
    private final Expectations expectations;
    private final JobFinalizers finalizers;
    private final JobBackoff backoff;

    JobWorkforce(PodControl podControl, Expectations expectations, JobFinalizers finalizers, JobBackoff backoff) {
        this.podControl = podControl;
        this.expectations = expectations;
        this.finalizers = finalizers;
        this.backoff = backoff;
    }

    /** Deletes what still runs of a Job that is over. */
    void dismiss(ObjectKey key, ObjectNode job, JobTally tally) {
        delete(key, job, tally.active(), _ -> false);
    }

    Result adjust(ObjectKey key, ObjectNode job, JobTally tally, Instant now) {
        JobSpec spec = tally.spec;
        List<ObjectNode> active = tally.active();
        if (spec.suspended()) {
            delete(key, job, active, _ -> true);
            return Result.DONE;
        }
        int wanted = wanted(tally, active.size());
        int leaving = spec.replacesOnlyFailed() ? tally.terminating() : 0;
        if (active.size() > wanted) {
            List<ObjectNode> surplus = new ArrayList<>(active);
            surplus.sort(Comparator.<ObjectNode, Boolean>comparing(Pods::scheduled)
                    .thenComparing(Pods::ready)
                    .thenComparing(Metadata::creationTimestamp, Comparator.reverseOrder()));
            delete(key, job, surplus.subList(0, active.size() - wanted), _ -> true);
            return Result.DONE;
        }
        int missing = Math.min(wanted - active.size() - leaving, CREATIONS_MAX);
        if (missing <= 0) {
            return Result.DONE;
        }
        Duration wait = backoff.remaining(key, now);
        if (wait.isPositive()) {
            return Result.after(wait);
        }
        create(key, job, tally, missing);
        return Result.DONE;
    }

    private static int wanted(JobTally tally, int active) {
        JobSpec spec = tally.spec;
        if (spec.completions().isEmpty()) {
            // A work queue that has one success winds down by itself.
            return tally.succeeded() > 0 ? active : spec.parallelism();
        }
        int left = spec.completions().get() - tally.succeeded() - tally.failedIndexes.size();
        return Math.min(Math.max(0, left), spec.parallelism());
    }

    private void create(ObjectKey key, ObjectNode job, JobTally tally, int missing) {
        List<Integer> indexes = tally.spec.indexed() ? freeIndexes(tally, missing) : List.of();
        int count = tally.spec.indexed() ? indexes.size() : missing;
        expectations.expectCreations(key, count);
        SlowStart.Outcome outcome = SlowStart.run(count, i -> {
            try {
                podControl.create(job, pod(job, tally, indexes.isEmpty() ? -1 : indexes.get(i)));
            } catch (ApiException e) {
                if (!PodControl.namespaceTerminating(e)) {
                    throw e;
                }
                expectations.creationObserved(key);
            }
        });
        for (int i = outcome.succeeded(); i < count; i++) {
            expectations.creationObserved(key);
        }
        rethrow(outcome.failure());
    }

    private static ObjectNode pod(ObjectNode job, JobTally tally, int index) {
        ObjectNode pod = JobPods.create(job, index);
        if (index >= 0 && tally.spec.backoffLimitPerIndex().isPresent()) {
            int failures = tally.pods.stream()
                    .filter(other -> JobPods.index(other) == index && JobPods.countsAsFailed(other, tally.spec))
                    .mapToInt(other -> JobTally.failures(other) + 1)
                    .max()
                    .orElse(0);
            Metadata.setAnnotation(pod, "batch.kubernetes.io/job-index-failure-count", Integer.toString(failures));
        }
        return pod;
    }

    private static List<Integer> freeIndexes(JobTally tally, int count) {
        Set<Integer> busy = tally.activeIndexes().keySet();
        List<Integer> free = new ArrayList<>(count);
        for (int index = 0; index < tally.spec.completions().orElse(0) && free.size() < count; index++) {
            if (!busy.contains(index)
                    && !tally.completedIndexes.contains(index)
                    && !tally.failedIndexes.contains(index)) {
                free.add(index);
            }
        }
        return free;
    }

    /** @param release whether to take the finalizer off first, so that the end does not count as a failure */
    private void delete(ObjectKey key, ObjectNode job, List<ObjectNode> pods, Predicate<ObjectNode> release) {
        if (pods.isEmpty()) {
            return;
        }
        expectations.expectDeletions(key, pods.stream().map(Metadata::uid).toList());
        SlowStart.Outcome outcome = SlowStart.run(pods.size(), i -> {
            ObjectNode pod = pods.get(i);
            try {
                if (release.test(pod) && JobPods.tracked(pod)) {
                    finalizers.release(pod);
                }
                podControl.delete(job, pod);
            } catch (ApiException e) {
                expectations.deletionObserved(key, Metadata.uid(pod));
                throw e;
            }
        });
        if (outcome.failure() != null) {
            pods.forEach(pod -> expectations.deletionObserved(key, Metadata.uid(pod)));
        }
        rethrow(outcome.failure());
    }

    private static void rethrow(@Nullable RuntimeException failure) {
        if (failure != null) {
            throw failure;
        }
    }
}
