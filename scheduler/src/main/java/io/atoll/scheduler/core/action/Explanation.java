package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.Diagnosis;
import io.atoll.scheduler.core.PodClass;
import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.PodSet;
import io.atoll.scheduler.core.job.Task;
import io.atoll.scheduler.core.queue.Capacity;
import io.atoll.scheduler.core.queue.Denial;
import io.atoll.scheduler.core.queue.Queue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says why jobs wait, as things stand at the end of a cycle. On the scheduler's thread. */
final class Explanation {
    private final Session session;
    private final Allocator allocator;
    private final Map<PodClass, Diagnosis> diagnoses = new HashMap<>();

    Explanation(Session session) {
        this.session = session;
        this.allocator = new Allocator(session);
    }

    /** The jobs that have pods without a node, or a promise of one. */
    List<CyclePlan.Waiting> waiting() {
        List<CyclePlan.Waiting> waiting = new ArrayList<>();
        for (Job job : session.jobs()) {
            if (job.pending() > 0) {
                waiting.add(new CyclePlan.Waiting(job, reason(job)));
            }
        }
        return waiting;
    }

    private WaitReason reason(Job job) {
        Queue queue = session.queues().find(job.queue());
        if (queue == null) {
            return of(
                    WaitReason.Kind.QUEUE_DOES_NOT_EXIST,
                    "queue " + job.queue() + " does not exist, or a queue above it does not; create it, or name another"
                            + " with the label kai.scheduler/queue");
        }
        if (!queue.isLeaf()) {
            return of(
                    WaitReason.Kind.QUEUE_DOES_NOT_EXIST,
                    "queue " + job.queue() + " has queues below it, so no job runs in it itself; name one of these: "
                            + queue.children().stream().map(Queue::name).collect(Collectors.joining(", ")));
        }
        if (!job.isReady()) {
            return of(WaitReason.Kind.NOT_READY, notReady(job));
        }
        Optional<Denial> denial = Capacity.check(queue, allocator.nextUse(job), job.preemptible());
        if (denial.isPresent()) {
            return of(denial.get());
        }
        Statement statement = new Statement(session);
        boolean placed = allocator.allocate(statement, job, Allocator.Pods.PENDING);
        statement.discard();
        return placed
                ? of(WaitReason.Kind.POD_SCHEDULING_ERRORS, "waits for its turn: there is room now")
                : of(job, allocator.failure());
    }

    private static String notReady(Job job) {
        return job.podSets().stream()
                .filter(set -> !set.isReady())
                .map(set -> "has " + (set.allocated() + set.pending()) + " of the " + set.minAvailable()
                        + " pods that it starts with"
                        + (set.name().equals(Job.DEFAULT_POD_SET) ? "" : " in " + set.name())
                        + (set.gated() > 0 ? ", and " + set.gated() + " with scheduling gates" : ""))
                .collect(Collectors.joining("; "));
    }

    private WaitReason of(Job job, Allocator.Failure failure) {
        Denial denial = failure.denial();
        if (denial != null) {
            return of(denial);
        }
        Task task = failure.task();
        if (task == null) {
            return of(WaitReason.Kind.POD_SCHEDULING_ERRORS, failure.problem());
        }
        Diagnosis diagnosis = failure.within() == null && !task.pod().podClass().dependsOnPods()
                ? diagnoses.computeIfAbsent(
                        task.pod().podClass(), _ -> session.placer().diagnose(task.pod(), null))
                : session.placer().diagnose(task.pod(), failure.within());
        int wanted = Allocator.next(job, Allocator.Pods.PENDING).values().stream()
                .mapToInt(List::size)
                .sum();
        String gang = wanted > 1
                ? "needs room for " + wanted + " pods at once and there is room for " + failure.placed()
                        + inSet(task.podSet()) + ": "
                : "";
        return of(WaitReason.Kind.POD_SCHEDULING_ERRORS, gang + diagnosis.message());
    }

    private static String inSet(PodSet set) {
        return set.name().equals(Job.DEFAULT_POD_SET) ? "" : " of " + set.name();
    }

    private static WaitReason of(Denial denial) {
        return new WaitReason(
                switch (denial.kind()) {
                    case LIMIT -> WaitReason.Kind.OVER_LIMIT;
                    case QUOTA_NON_PREEMPTIBLE -> WaitReason.Kind.NON_PREEMPTIBLE_OVER_QUOTA;
                },
                denial.message(),
                denial);
    }

    private static WaitReason of(WaitReason.Kind kind, String message) {
        return new WaitReason(kind, message, null);
    }
}
