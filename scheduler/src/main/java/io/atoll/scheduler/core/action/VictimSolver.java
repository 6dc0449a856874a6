package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.Place;
import io.atoll.scheduler.core.job.PodSet;
import io.atoll.scheduler.core.job.Task;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds pods to evict so that a job fits: as few as it can, those first in the order of victims.
 *
 * <p>Victims are added in doubling steps until the job fits, the step is halved down to the shortest row of victims that
 * is enough, and those that do not help are let go again. The job is tried by placing it, so all that decides about
 * placement decides here too. Then the victims themselves are placed anew as far as there is room: they are moved, not
 * lost. On the scheduler's thread.
 */
final class VictimSolver {
    /** Up to here every single victim is tried whether it helps. */
    private static final int TRIED_ONE_BY_ONE_MAX = 64;

    private final Session session;
    private final Allocator allocator;
    private final VictimQueue victims;
    private final Action action;

    VictimSolver(Session session, Allocator allocator, VictimQueue victims, Action action) {
        this.session = session;
        this.allocator = allocator;
        this.victims = victims;
        this.action = action;
    }

    /** Evicts for the job what may be lost; answers whether it has its places then. Else nothing has changed. */
    boolean solve(Job job, VictimPolicy policy) {
        Statement statement = new Statement(session);
        List<VictimUnit> units = shortestRow(statement, job, policy);
        if (units == null) {
            statement.discard();
            return false;
        }
        units = withoutBystanders(statement, job, units);
        units = withoutUnneeded(statement, job, units);
        statement.discard();
        policy.begin();
        if (!units.stream().allMatch(policy::mayLose)) {
            return false;
        }
        evict(statement, job, units);
        if (!place(statement, job)) {
            statement.discard();
            return false;
        }
        placeAnew(statement, units);
        statement.commit();
        return true;
    }

    /** The shortest beginning of the row of victims after whose eviction the job fits; null when there is none. */
    private @Nullable List<VictimUnit> shortestRow(Statement statement, Job job, VictimPolicy policy) {
        VictimQueue.Walk walk = victims.new Walk(policy::admits, policy::protectsCore);
        policy.begin();
        List<VictimUnit> units = new ArrayList<>();
        List<Integer> marks = new ArrayList<>(); // the statement's length after each unit
        int tooFew = 0;
        for (int wanted = 1; ; wanted *= 2) {
            boolean exhausted = false;
            while (units.size() < wanted && !exhausted) {
                VictimUnit unit = walk.next();
                if (unit == null) {
                    exhausted = true;
                } else if (policy.mayLose(unit)) {
                    units.add(unit);
                    evict(statement, job, unit);
                    marks.add(statement.checkpoint());
                } else {
                    walk.skipQueue(unit);
                }
            }
            if (units.size() > tooFew && fits(statement, job)) {
                break;
            }
            if (exhausted) {
                return null;
            }
            tooFew = units.size();
        }
        int enough = units.size();
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) / 2;
            moveTo(statement, job, units, marks, middle);
            if (fits(statement, job)) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        moveTo(statement, job, units, marks, enough);
        return new ArrayList<>(units.subList(0, enough));
    }

    /** Evicts or keeps so that exactly the first so many units are evicted. */
    private void moveTo(Statement statement, Job job, List<VictimUnit> units, List<Integer> marks, int count) {
        int there = 0;
        while (there < marks.size() && marks.get(there) <= statement.checkpoint()) {
            there++;
        }
        if (count <= there) {
            statement.rollback(count == 0 ? 0 : marks.get(count - 1));
        } else {
            for (int i = there; i < count; i++) {
                evict(statement, job, units.get(i));
                marks.set(i, statement.checkpoint());
            }
        }
    }

    /** Lets all go that have no pod where the job would go, if the job fits without them. */
    private List<VictimUnit> withoutBystanders(Statement statement, Job job, List<VictimUnit> units) {
        int checkpoint = statement.checkpoint();
        if (units.size() == 1 || !place(statement, job)) {
            return units;
        }
        Set<String> nodes = new HashSet<>();
        for (PodSet set : job.podSets()) {
            for (Task task : set.tasks()) {
                Place place = task.place();
                if (place != null && session.hasChanged(task)) {
                    nodes.add(place.node());
                }
            }
        }
        statement.rollback(checkpoint);
        List<VictimUnit> near = new ArrayList<>();
        for (VictimUnit unit : units) {
            if (unit.tasks().stream().anyMatch(task -> nodes.contains(leftNode(task)))) {
                near.add(unit);
            }
        }
        if (near.size() == units.size()) {
            return units;
        }
        statement.discard();
        evict(statement, job, near);
        if (fits(statement, job)) {
            return near;
        }
        statement.discard();
        evict(statement, job, units);
        return units;
    }

    private static String leftNode(Task task) {
        Task.State evicted = task.state().evicted();
        Place left = evicted == null ? null : evicted.place();
        return left == null ? "" : left.node();
    }

    /** Lets go, of those that are last in the order of victims first, each without which the job fits. */
    private List<VictimUnit> withoutUnneeded(Statement statement, Job job, List<VictimUnit> units) {
        if (units.size() == 1 || units.size() > TRIED_ONE_BY_ONE_MAX) {
            return units;
        }
        List<VictimUnit> needed = new ArrayList<>(units);
        for (int i = units.size() - 1; i >= 0 && needed.size() > 1; i--) {
            VictimUnit unit = units.get(i);
            List<VictimUnit> fewer = new ArrayList<>(needed);
            fewer.remove(unit);
            // what a job can spare goes before the rest of it
            if (fewer.stream().anyMatch(other -> other.job() == unit.job() && !other.spared())) {
                continue;
            }
            statement.discard();
            evict(statement, job, fewer);
            if (fits(statement, job)) {
                needed = fewer;
            }
        }
        return needed;
    }

    /** Places the victims anew where there is room, in the order of service. */
    void placeAnew(Statement statement, List<VictimUnit> units) {
        Set<Job> jobs = new LinkedHashSet<>();
        units.forEach(unit -> jobs.add(unit.job()));
        JobQueue queue = new JobQueue(session, allocator, jobs);
        for (Job job = queue.poll(); job != null; job = queue.poll()) {
            if (allocator.allocate(statement, job, Allocator.Pods.EVICTED) && job.evicted() > 0) {
                queue.putBack(job);
            }
        }
    }

    boolean place(Statement statement, Job job) {
        return allocator.allocate(statement, job, Allocator.Pods.PENDING);
    }

    private boolean fits(Statement statement, Job job) {
        int checkpoint = statement.checkpoint();
        boolean fits = place(statement, job);
        statement.rollback(checkpoint);
        return fits;
    }

    void evict(Statement statement, Job evictor, List<VictimUnit> units) {
        units.forEach(unit -> evict(statement, evictor, unit));
    }

    private void evict(Statement statement, Job evictor, VictimUnit unit) {
        unit.tasks().forEach(task -> statement.evict(task, new Eviction(action, evictor)));
    }
}
