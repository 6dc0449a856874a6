package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.StoredObject;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.reconcile.EventRecorder;
import io.atoll.reconcile.ObjectKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Starts Jobs at the times that a CronJob names, and keeps a few of the finished ones. */
final class CronJobController extends KeyedController {
    private static final String SCHEDULED_AT = "batch.kubernetes.io/cronjob-scheduled-timestamp";
    private static final Duration SLACK = Duration.ofMillis(100);

    private final EventRecorder events;

    CronJobController(ControllerContext context) {
        super(context, "cronjob-controller");
        events = context.events("cronjob-controller");
        context.indexes().jobs.subscribe((before, after) -> {
            enqueueOwner(before);
            enqueueOwner(after);
        });
    }

    @Override
    public void start() {
        watchOwn(Kinds.CRON_JOBS);
    }

    private void enqueueOwner(@Nullable StoredObject job) {
        if (job != null) {
            Optional<OwnerReference> owner = job.metadata()
                    .controller()
                    .filter(reference -> reference.kind().equals("CronJob"));
            owner.ifPresent(reference -> enqueue(new ObjectKey(job.namespace(), reference.name())));
        }
    }

    @Override
    public Result reconcile(ObjectKey key) {
        Optional<ObjectNode> stored = find(Kinds.CRON_JOBS, key).map(StoredObject::tree);
        if (stored.isEmpty()) {
            return Result.DONE;
        }
        ObjectNode cron = stored.get();
        List<ObjectNode> jobs = new ArrayList<>(context.indexes().jobs.ownedBy(Metadata.uid(cron)).stream()
                .map(StoredObject::tree)
                .toList());
        ObjectNode status = Json.child(cron, "status").deepCopy();
        noteActive(cron, status, jobs);
        Result next = Metadata.deleting(cron) ? Result.DONE : schedule(cron, status, jobs);
        if (!Json.same(status, cron.path("status"))) {
            cron.set("status", status);
            client.updateStatus(Kinds.CRON_JOBS, cron);
        }
        forgetOld(cron, jobs);
        return next;
    }

    private Result schedule(ObjectNode cron, ObjectNode status, List<ObjectNode> jobs) {
        CronSchedule schedule;
        try {
            JsonNode spec = cron.path("spec");
            String zone = spec.path("timeZone").asString("");
            schedule = CronSchedule.parse(
                    spec.path("schedule").asString(""), zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone));
        } catch (IllegalArgumentException e) {
            events.warning(cron, "UnparseableSchedule", "unparseable schedule: " + e.getMessage());
            return Result.DONE;
        } catch (DateTimeException e) {
            events.warning(cron, "UnknownTimeZone", "invalid timeZone: " + e.getMessage());
            return Result.DONE;
        }
        if (cron.path("spec").path("suspend").asBoolean(false)) {
            return Result.DONE;
        }
        Instant now = context.timers().instant();
        Optional<Instant> due = schedule.latest(earliest(cron, now), now);
        if (due.isPresent()) {
            start(cron, status, jobs, due.get());
        }
        return schedule.next(now)
                .map(time -> Result.after(Duration.between(now, time).plus(SLACK)))
                .orElse(Result.DONE);
    }

    private static Instant earliest(ObjectNode cron, Instant now) {
        JsonNode last = cron.path("status").path("lastScheduleTime");
        Instant from = Pods.time(last.isMissingNode() ? cron.path("metadata").path("creationTimestamp") : last);
        JsonNode deadline = cron.path("spec").path("startingDeadlineSeconds");
        if (deadline.isNumber()) {
            Instant limit = now.minusSeconds(deadline.asLong(0));
            return limit.isAfter(from) ? limit : from;
        }
        return from;
    }

    private void start(ObjectNode cron, ObjectNode status, List<ObjectNode> jobs, Instant due) {
        String policy = cron.path("spec").path("concurrencyPolicy").asString("Allow");
        List<ObjectNode> active = jobs.stream()
                .filter(job -> !JobOutcome.finished(job.path("status")))
                .toList();
        if (policy.equals("Forbid") && !active.isEmpty()) {
            events.normal(
                    cron,
                    "JobAlreadyActive",
                    "Not starting job because prior execution is running and concurrency" + " policy is Forbid");
            return;
        }
        if (policy.equals("Replace")) {
            active.forEach(job -> delete(cron, job, "SuccessfulDelete"));
            jobs.removeAll(active);
        }
        ObjectNode job = job(cron, due);
        try {
            ObjectNode created = client.create(Kinds.JOBS, Metadata.namespace(cron), job);
            events.normal(cron, "SuccessfulCreate", "Created job " + Metadata.name(created));
            jobs.add(created);
            noteActive(cron, status, jobs);
        } catch (ApiException e) {
            if (e.code() != 409) {
                if (!PodControl.namespaceTerminating(e)) {
                    events.warning(cron, "FailedCreate", "Error creating job: " + e.getMessage());
                }
                throw e;
            }
        }
        status.put("lastScheduleTime", due.toString());
    }

    private static ObjectNode job(ObjectNode cron, Instant due) {
        JsonNode template = cron.path("spec").path("jobTemplate");
        ObjectNode job = Json.object();
        job.put("apiVersion", "batch/v1").put("kind", "Job");
        job.putObject("metadata")
                // One name a minute: a second controller, or this one after a crash, cannot start it twice.
                .put("name", Metadata.name(cron) + "-" + due.getEpochSecond() / 60)
                .put("namespace", Metadata.namespace(cron));
        Metadata.setLabels(job, Metadata.labels(template));
        Metadata.setAnnotations(job, Metadata.annotations(template));
        Metadata.setAnnotation(job, SCHEDULED_AT, due.toString());
        Metadata.setOwnerReferences(job, List.of(PodControl.controllerReference(cron)));
        job.set("spec", template.path("spec").deepCopy());
        return job;
    }

    private void noteActive(ObjectNode cron, ObjectNode status, List<ObjectNode> jobs) {
        ArrayNode active = Json.array();
        for (ObjectNode job : jobs) {
            String uid = Metadata.uid(job);
            if (!JobOutcome.finished(job.path("status"))) {
                active.addObject()
                        .put("kind", "Job")
                        .put("namespace", Metadata.namespace(job))
                        .put("name", Metadata.name(job))
                        .put("uid", uid)
                        .put("apiVersion", "batch/v1");
                continue;
            }
            boolean news = status.path("active")
                    .valueStream()
                    .anyMatch(reference -> reference.path("uid").asString("").equals(uid));
            boolean complete = Conditions.isTrue(job.path("status"), JobOutcome.COMPLETE);
            if (news) {
                events.normal(
                        cron,
                        "SawCompletedJob",
                        "Saw completed job: " + Metadata.name(job) + ", condition: "
                                + (complete ? JobOutcome.COMPLETE : JobOutcome.FAILED));
            }
            String end = job.path("status").path("completionTime").asString("");
            if (complete && end.compareTo(status.path("lastSuccessfulTime").asString("")) > 0) {
                status.put("lastSuccessfulTime", end);
            }
        }
        if (active.isEmpty()) {
            status.remove("active");
        } else {
            status.set("active", active);
        }
    }

    private void forgetOld(ObjectNode cron, List<ObjectNode> jobs) {
        JsonNode spec = cron.path("spec");
        forget(
                cron,
                jobs,
                JobOutcome.COMPLETE,
                spec.path("successfulJobsHistoryLimit").asInt(3));
        forget(
                cron,
                jobs,
                JobOutcome.FAILED,
                spec.path("failedJobsHistoryLimit").asInt(1));
    }

    private void forget(ObjectNode cron, List<ObjectNode> jobs, String end, int limit) {
        List<ObjectNode> ended = jobs.stream()
                .filter(job -> Conditions.isTrue(job.path("status"), end) && !Metadata.deleting(job))
                .sorted(Deployments.BY_AGE)
                .toList();
        for (ObjectNode job : ended.subList(0, Math.max(0, ended.size() - limit))) {
            delete(cron, job, "SuccessfulDelete");
        }
    }

    private void delete(ObjectNode cron, ObjectNode job, String reason) {
        try {
            client.delete(Kinds.JOBS, Metadata.namespace(job), Metadata.name(job), Client.DeleteOptions.background());
            events.normal(cron, reason, "Deleted job " + Metadata.name(job));
        } catch (ApiException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }
}
