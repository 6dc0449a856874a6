package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.queue.MinRuntime;
import io.atoll.scheduler.core.queue.Queue;

/** Takes from jobs of the same queue and lower priority. */
final class PreemptPolicy implements VictimPolicy {
    private final Session session;
    private final Job job;

    PreemptPolicy(Session session, Job job) {
        this.session = session;
        this.job = job;
    }

    @Override
    public boolean admits(Job victim) {
        return victim.queue().equals(job.queue()) && victim.priority() < job.priority();
    }

    @Override
    public boolean protectsCore(Job victim) {
        Long start = victim.lastStart();
        Queue queue = session.leaf(victim);
        return start != null
                && queue != null
                && session.now()
                        < MinRuntime.protectedUntil(
                                start, session.options().minRuntime().forPreempt(queue));
    }

    @Override
    public void begin() {
        // every victim is judged alone
    }

    @Override
    public boolean mayLose(VictimUnit unit) {
        return true;
    }
}
