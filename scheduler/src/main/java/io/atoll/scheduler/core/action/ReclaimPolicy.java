package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.queue.MinRuntime;
import io.atoll.scheduler.core.queue.Queue;
import io.atoll.scheduler.core.queue.ReclaimScenario;
import io.atoll.scheduler.core.queue.ResourceVector;

/** Takes from other queues what they have beyond their share, or beyond their quota for one that is below its own. */
final class ReclaimPolicy implements VictimPolicy {
    private final Session session;
    private final ReclaimScenario scenario;
    private final Job job;
    private final Queue leaf;
    private final ResourceVector use;

    /** @param use what the job asks for */
    ReclaimPolicy(Session session, ReclaimScenario scenario, Job job, Queue leaf, ResourceVector use) {
        this.session = session;
        this.scenario = scenario;
        this.job = job;
        this.leaf = leaf;
        this.use = use;
    }

    @Override
    public boolean admits(Job victim) {
        return !victim.queue().equals(job.queue());
    }

    @Override
    public boolean protectsCore(Job victim) {
        Long start = victim.lastStart();
        Queue queue = session.leaf(victim);
        return start != null
                && queue != null
                && session.now()
                        < MinRuntime.protectedUntil(
                                start, session.options().minRuntime().forReclaim(leaf, queue));
    }

    @Override
    public void begin() {
        scenario.begin(leaf, use, job.preemptible());
    }

    @Override
    public void look(VictimUnit unit) {
        for (Queue queue = unit.leaf(); queue != null; queue = queue.parent()) {
            scenario.remaining(queue, ResourceVector.GPU);
        }
    }

    @Override
    public boolean mayLose(VictimUnit unit) {
        if (scenario.take(unit.leaf(), unit.use()) && scenario.holds()) {
            return true;
        }
        scenario.undo();
        return false;
    }

    @Override
    public int mark() {
        return scenario.mark();
    }

    @Override
    public void undoTo(int mark) {
        scenario.undoTo(mark);
    }
}
