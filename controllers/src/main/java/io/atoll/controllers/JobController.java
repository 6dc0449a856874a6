package io.atoll.controllers;

import io.atoll.client.StoredObject;
import io.atoll.model.Json;
import io.atoll.model.LabelSelector;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.reconcile.EventRecorder;
import io.atoll.reconcile.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs a Job's pods to completion.
 *
 * <p>A pod that has ended is listed by uid in the status, then let go of by its finalizer, then counted: whatever
 * stops in between, no end is lost or counted twice.
 */
final class JobController extends KeyedController {
    private final EventRecorder events;
    private final Expectations expectations;
    private final Adoption adoption;
    private final JobFinalizers finalizers;
    private final JobBackoff backoff = new JobBackoff();
    private final JobWorkforce workforce;

    JobController(ControllerContext context) {
        super(context, "job-controller");
        events = context.events("job-controller");
        expectations = new Expectations(context.timers());
        adoption = new Adoption(client, Kinds.PODS, context.indexes().pods);
        finalizers = new JobFinalizers(client);
        workforce = new JobWorkforce(new PodControl(client, events), expectations, finalizers, backoff);
        context.indexes().pods.subscribe(this::onPod);
        context.indexes().jobs.subscribe((before, after) -> enqueue(after != null ? after : before));
    }

    @Override
    public void start() {}

    private void onPod(@Nullable StoredObject before, @Nullable StoredObject after) {
        StoredObject pod = after != null ? after : before;
        if (pod == null) {
            return;
        }
        finalizers.observe(pod, after == null);
        Optional<OwnerReference> owner =
                pod.metadata().controller().filter(reference -> reference.kind().equals("Job"));
        if (owner.isPresent()) {
            ObjectKey key = new ObjectKey(pod.namespace(), owner.get().name());
            expectations.observe(key, before, after);
            enqueue(key);
        }
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.JOBS, key).map(StoredObject::tree);
        if (stored.isEmpty()) {
            expectations.forget(key);
            backoff.forget(key);
            return Result.DONE;
        }
        ObjectNode job = stored.get();
        LabelSelector selector = LabelSelector.of(job.path("spec").path("selector"));
        List<ObjectNode> pods = adoption.claim(Kinds.JOBS, job, selector);
        if (JobOutcome.finished(job.path("status"))) {
            finalizers.release(pods.stream().filter(JobPods::tracked).toList());
            backoff.forget(key);
            return Result.DONE;
        }
        return sync(key, job, pods);
    }

    private Result sync(ObjectKey key, ObjectNode job, List<ObjectNode> pods) {
        Instant now = context.timers().instant();
        boolean inSync = expectations.satisfied(key);
        JobSpec spec = JobSpec.of(job);
        boolean failing = JobOutcome.decided(job.path("status"))
                .filter(outcome -> !outcome.success())
                .isPresent();
        JobTally tally = JobTally.of(spec, job.path("status"), pods, finalizers::released, failing);
        backoff.observe(key, tally, now);
        ObjectNode status = Json.child(job, "status").deepCopy();
        Optional<JobOutcome> outcome = JobOutcome.decide(job, tally, now);
        Result next = Result.DONE;
        if (outcome.isPresent()) {
            markTarget(status, outcome.get());
            if (inSync) {
                workforce.dismiss(key, job, tally);
            }
        } else {
            markStart(spec, status);
            markSuspension(job, spec, status);
            if (inSync && !Metadata.deleting(job)) {
                next = workforce.adjust(key, job, tally, now);
            }
        }
        settle(job, status, tally, outcome);
        return outcome.isPresent() ? Result.DONE : soonest(next, untilDeadline(spec, status, now));
    }

    /** Writes the ends down, lets the ended pods go, and counts them. */
    private void settle(ObjectNode job, ObjectNode status, JobTally tally, Optional<JobOutcome> outcome) {
        ObjectNode before = Json.child(job, "status").deepCopy();
        boolean unsettled = !tally.ended.isEmpty();
        if (unsettled) {
            tally.writeUnsettled(status);
            write(job, before, status);
            finalizers.release(tally.ended);
            before = Json.child(job, "status").deepCopy();
        }
        tally.writeSettled(status);
        boolean over = outcome.isPresent() && tally.active().isEmpty() && tally.terminating() == 0;
        if (over) {
            markEnd(status, outcome.get());
        }
        write(job, before, status);
        if (over) {
            tell(job, outcome.get());
        }
    }

    private void write(ObjectNode job, ObjectNode before, ObjectNode status) {
        if (!Json.same(before, status)) {
            job.set("status", status.deepCopy());
            ObjectNode answer = client.updateStatus(Kinds.JOBS, job);
            job.set("metadata", answer.path("metadata"));
        }
    }

    private void markTarget(ObjectNode status, JobOutcome outcome) {
        if (Conditions.find(status, outcome.target()).isEmpty()) {
            put(status, Conditions.of(outcome.target(), "True", outcome.reason(), outcome.message()));
        }
    }

    private void markEnd(ObjectNode status, JobOutcome outcome) {
        put(status, Conditions.of(outcome.end(), "True", outcome.reason(), outcome.message()));
        if (outcome.success()) {
            status.put("completionTime", context.now());
        }
    }

    private void tell(ObjectNode job, JobOutcome outcome) {
        if (outcome.success()) {
            events.normal(job, "Completed", "Job completed");
        } else {
            events.warning(job, outcome.reason(), outcome.message());
        }
    }

    private void markStart(JobSpec spec, ObjectNode status) {
        if (!spec.suspended() && !status.has("startTime")) {
            status.put("startTime", context.now());
        }
    }

    private void markSuspension(ObjectNode job, JobSpec spec, ObjectNode status) {
        boolean marked = Conditions.isTrue(status, "Suspended");
        if (spec.suspended() && !marked) {
            put(status, Conditions.of("Suspended", "True", "JobSuspended", "Job suspended"));
            events.normal(job, "Suspended", "Job suspended");
        } else if (!spec.suspended() && marked) {
            put(status, Conditions.of("Suspended", "False", "JobResumed", "Job resumed"));
            status.put("startTime", context.now());
            events.normal(job, "Resumed", "Job resumed");
        }
        if (spec.suspended()) {
            status.remove("startTime");
        }
    }

    private void put(ObjectNode status, ObjectNode condition) {
        condition.put("lastProbeTime", context.now());
        Conditions.set(status, condition, context.now());
    }

    private static Optional<Duration> untilDeadline(JobSpec spec, ObjectNode status, Instant now) {
        return spec.activeDeadlineSeconds()
                .filter(_ -> status.has("startTime"))
                .map(seconds -> Duration.between(
                        now, Pods.time(status.path("startTime")).plusSeconds(seconds)));
    }

    private static Result soonest(Result result, Optional<Duration> deadline) {
        if (deadline.isEmpty()) {
            return result;
        }
        Duration wait = deadline.get().isPositive() ? deadline.get() : Duration.ofMillis(1);
        if (result instanceof Result.After(Duration delay) && delay.compareTo(wait) < 0) {
            return result;
        }
        return Result.after(wait);
    }
}
