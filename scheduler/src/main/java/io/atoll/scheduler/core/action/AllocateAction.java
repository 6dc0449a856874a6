package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import java.util.List;

/** Gives jobs nodes that have room, in the order of queues and jobs. On the scheduler's thread. */
final class AllocateAction {
    private final Session session;

    AllocateAction(Session session) {
        this.session = session;
    }

    void run() {
        Allocator allocator = new Allocator(session);
        List<Job> ready = session.jobs().stream()
                .filter(job -> job.pending() > 0 && job.isReady())
                .toList();
        JobQueue queue = new JobQueue(session, allocator, ready);
        Statement statement = new Statement(session);
        for (Job job = queue.poll(); job != null; job = queue.poll()) {
            if (allocator.allocate(statement, job, Allocator.Pods.PENDING) && job.pending() > 0) {
                queue.putBack(job);
            }
            statement.commit();
        }
    }
}
