package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.queue.Queue;
import io.atoll.scheduler.core.queue.ReclaimRules;
import io.atoll.scheduler.core.queue.ReclaimScenario;
import io.atoll.scheduler.core.queue.ResourceVector;
import java.util.List;

/** Takes from queues that have more than is theirs for jobs of queues that have less. On the scheduler's thread. */
final class ReclaimAction {
    private final Session session;

    ReclaimAction(Session session) {
        this.session = session;
    }

    void run() {
        List<Job> ready = session.jobs().stream()
                .filter(job -> job.pending() > 0 && job.isReady())
                .toList();
        if (ready.isEmpty() || session.queues().queues().isEmpty()) {
            return;
        }
        Allocator allocator = new Allocator(session);
        VictimQueue victims = new VictimQueue(session, _ -> true);
        VictimSolver solver = new VictimSolver(session, allocator, victims, Action.RECLAIM);
        RelocationSearch relocation = new RelocationSearch(session, allocator, victims, Action.RECLAIM);
        ReclaimScenario scenario =
                new ReclaimScenario(session.queues(), session.options().saturationMultiplier());
        FailedJobs failed = new FailedJobs();
        JobQueue queue = new JobQueue(session, allocator, ready);
        for (Job job = queue.poll(); job != null; job = queue.poll()) {
            Queue leaf = session.leaf(job);
            if (leaf == null || failed.contains(job, job.queue())) {
                continue;
            }
            ResourceVector use = allocator.nextUse(job);
            ReclaimPolicy policy = new ReclaimPolicy(session, scenario, job, leaf, use);
            if (ReclaimRules.canReclaim(leaf, use, job.preemptible())
                    && (solver.solve(job, policy)
                            || (session.options().allowConsolidatingReclaim() && relocation.solve(job, policy)))) {
                queue.reorder();
            } else {
                failed.add(job, job.queue());
            }
        }
    }
}
