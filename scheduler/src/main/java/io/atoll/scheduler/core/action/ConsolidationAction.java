package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.PlacementStrategy;
import io.atoll.scheduler.core.job.Job;
import java.util.List;

/**
 * Moves pods so that a job fits that fits nowhere. No pod is lost: a move that does not find every pod another place is
 * not made. Off where pods are spread, since spreading undoes it. On the scheduler's thread.
 */
final class ConsolidationAction {
    private final Session session;

    ConsolidationAction(Session session) {
        this.session = session;
    }

    void run() {
        SessionOptions options = session.options();
        if (options.consolidationPreempteesMax() == 0
                || options.gpuStrategy() == PlacementStrategy.SPREAD
                || options.cpuStrategy() == PlacementStrategy.SPREAD) {
            return;
        }
        List<Job> ready = session.jobs().stream()
                .filter(job -> job.preemptible() && job.pending() > 0 && job.isReady())
                .toList();
        if (ready.isEmpty()) {
            return;
        }
        Allocator allocator = new Allocator(session);
        VictimQueue victims = new VictimQueue(session, _ -> true);
        RelocationSearch search = new RelocationSearch(session, allocator, victims, Action.CONSOLIDATION);
        FailedJobs failed = new FailedJobs();
        JobQueue queue = new JobQueue(session, allocator, ready);
        for (Job job = queue.poll(); job != null; job = queue.poll()) {
            if (failed.contains(job, "")) {
                continue;
            }
            if (Totals.freeGpus(session.snapshot()) >= allocator.nextUse(job).gpu
                    && search.solve(job, new MovePolicy(job))) {
                queue.reorder();
            } else {
                failed.add(job, "");
            }
        }
    }

    /** Lets any job's pods be moved and none be lost. */
    private record MovePolicy(Job job) implements VictimPolicy {
        @Override
        public boolean admits(Job victim) {
            return victim != job;
        }

        @Override
        public boolean protectsCore(Job victim) {
            return false;
        }

        @Override
        public void begin() {
            // nothing may be lost at any time
        }

        @Override
        public boolean mayLose(VictimUnit unit) {
            return false;
        }
    }
}
