package io.atoll.scheduler;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.StatusReason;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.reconcile.Controller;
import io.atoll.reconcile.EventRecorder;
import io.atoll.reconcile.ObjectKey;
import io.atoll.reconcile.Reconciler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells users what the scheduler decided: the PodScheduled condition, and Scheduled and FailedScheduling events.
 *
 * <p>Any thread; nothing here holds up a decision. Of several reports for a pod that has not been written yet the
 * latest counts.
 */
final class Reporter implements AutoCloseable {
    /** A message that stays the same is repeated as an event after this long, so that it does not age away. */
    private static final Duration EVENT_REPEATED_AFTER = Duration.ofMinutes(1);

    private record Report(String uid, String message) {}

    private record LastEvent(String uid, String message, Instant at) {}

    private final Client client;
    private final Timers timers;
    private final Map<String, EventRecorder> recorders = new ConcurrentHashMap<>();
    private final Map<ObjectKey, Report> reports = new ConcurrentHashMap<>();
    private final Map<ObjectKey, LastEvent> lastEvents = new ConcurrentHashMap<>();
    private final Controller<ObjectKey> workers;

    Reporter(Client client, Timers timers, int reportsMax) {
        this.client = client;
        this.timers = timers;
        this.workers = new Controller<>("pod-scheduled-condition", timers, reportsMax, this::writeCondition);
    }

    void scheduled(Binder.Request binding) {
        forget(binding.pod());
        recorder(binding.schedulerName())
                .normal(
                        about(binding.pod(), binding.uid()),
                        "Scheduled",
                        "Successfully assigned " + binding.pod() + " to " + binding.node());
    }

    /** No node can take the pod now. */
    void waits(ObjectKey pod, String uid, String schedulerName, String message) {
        LastEvent last = lastEvents.get(pod);
        Instant now = timers.instant();
        boolean same = last != null && last.uid.equals(uid) && last.message.equals(message);
        if (last == null || !same || !now.isBefore(last.at.plus(EVENT_REPEATED_AFTER))) {
            lastEvents.put(pod, new LastEvent(uid, message, now));
            recorder(schedulerName).warning(about(pod, uid), "FailedScheduling", message);
        }
        if (!same) {
            reports.put(pod, new Report(uid, message));
            workers.enqueue(pod);
        }
    }

    /** The pod no longer waits. */
    void forget(ObjectKey pod) {
        lastEvents.remove(pod);
        reports.remove(pod);
    }

    private Reconciler.Result writeCondition(ObjectKey pod) {
        Report report = reports.get(pod);
        if (report == null) {
            return Reconciler.Result.DONE;
        }
        try {
            ObjectNode current = client.get(BuiltInTypes.PODS, pod.namespace(), pod.name());
            if (current.path("metadata").path("uid").asString("").equals(report.uid)
                    && current.path("spec").path("nodeName").asString("").isEmpty()) {
                client.patch(
                        BuiltInTypes.PODS,
                        pod.namespace(),
                        pod.name(),
                        "status",
                        Client.PatchType.STRATEGIC,
                        conditionPatch(current, report));
            }
        } catch (ApiException e) {
            if (e.reason() != StatusReason.NotFound) {
                throw e; // and is tried again; after a conflict with what the pod is by then
            }
        }
        reports.remove(pod, report);
        return Reconciler.Result.DONE;
    }

    private ObjectNode conditionPatch(ObjectNode pod, Report report) {
        ObjectNode patch = Json.object();
        // a pod that was bound meanwhile has another version, and keeps what its binding wrote
        patch.putObject("metadata")
                .put("uid", report.uid)
                .put(
                        "resourceVersion",
                        pod.path("metadata").path("resourceVersion").asString(""));
        ObjectNode condition = patch.putObject("status").putArray("conditions").addObject();
        condition
                .put("type", "PodScheduled")
                .put("status", "False")
                .put("reason", "Unschedulable")
                .put("message", report.message);
        condition.putNull("lastProbeTime");
        if (!isFalseAlready(pod)) {
            condition.put(
                    "lastTransitionTime",
                    timers.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        return patch;
    }

    private static boolean isFalseAlready(ObjectNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asString("").equals("PodScheduled")) {
                return condition.path("status").asString("").equals("False");
            }
        }
        return false;
    }

    private EventRecorder recorder(String schedulerName) {
        return recorders.computeIfAbsent(schedulerName, name -> new EventRecorder(client, name, timers));
    }

    private static ObjectNode about(ObjectKey pod, String uid) {
        ObjectNode about = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        about.putObject("metadata")
                .put("namespace", pod.namespace())
                .put("name", pod.name())
                .put("uid", uid);
        return about;
    }

    @Override
    public void close() {
        workers.close();
    }
}
