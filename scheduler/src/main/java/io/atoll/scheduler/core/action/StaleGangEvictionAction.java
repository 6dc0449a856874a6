package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.PodSet;
import io.atoll.scheduler.core.job.Task;
import java.time.Duration;

/** Ends jobs that have run with fewer pods than they must have for longer than a grace. On the scheduler's thread. */
final class StaleGangEvictionAction {
    private final Session session;

    StaleGangEvictionAction(Session session) {
        this.session = session;
    }

    void run() {
        Duration grace = session.options().stalenessGrace();
        Statement statement = new Statement(session);
        for (Job job : session.jobs()) {
            if (!job.isStale()) {
                job.setStaleSince(null);
                continue;
            }
            Long since = job.staleSince();
            if (since == null) {
                since = session.now();
                job.setStaleSince(since);
            }
            if (grace != null && session.now() - since >= grace.toMillis()) {
                evict(statement, job);
            }
        }
        statement.commit();
    }

    private static void evict(Statement statement, Job job) {
        for (PodSet set : job.podSets()) {
            for (Task task : set.tasks()) {
                if (task.status().isAllocated() && !task.isEvicted()) {
                    statement.evict(task, new Eviction(Action.STALE_GANG_EVICTION, null));
                }
            }
        }
    }
}
