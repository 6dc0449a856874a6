package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import java.util.List;

/** Takes from jobs of lower priority for those above them in the same queue. On the scheduler's thread. */
final class PreemptAction {
    private final Session session;

    PreemptAction(Session session) {
        this.session = session;
    }

    void run() {
        List<Job> ready = session.jobs().stream()
                .filter(job -> job.pending() > 0 && job.isReady())
                .toList();
        if (ready.isEmpty()) {
            return;
        }
        Allocator allocator = new Allocator(session);
        VictimQueue victims = new VictimQueue(session, _ -> true);
        VictimSolver solver = new VictimSolver(session, allocator, victims, Action.PREEMPT);
        FailedJobs failed = new FailedJobs();
        JobQueue queue = new JobQueue(session, allocator, ready);
        for (Job job = queue.poll(); job != null; job = queue.poll()) {
            if (failed.contains(job, job.queue())) {
                continue;
            }
            if (solver.solve(job, new PreemptPolicy(session, job))) {
                queue.reorder();
            } else {
                failed.add(job, job.queue());
            }
        }
    }
}
