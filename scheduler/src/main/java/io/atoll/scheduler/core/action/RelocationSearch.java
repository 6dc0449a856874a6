package io.atoll.scheduler.core.action;

import io.atoll.scheduler.core.ClusterSnapshot;
import io.atoll.scheduler.core.job.Job;
import io.atoll.scheduler.core.job.Place;
import io.atoll.scheduler.core.job.PodSet;
import io.atoll.scheduler.core.job.Task;
import io.atoll.scheduler.core.job.TaskStatus;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds pods to move so that a job fits: pods that get another place, or the same one again.
 *
 * <p>Node by node, those first from which least must be moved: pods leave it, the smallest first, until the pod that
 * fits nowhere fits there. Failing that, victims are taken in their order, more and more of them. The number of tries is
 * bounded. On the scheduler's thread.
 */
final class RelocationSearch {
    private static final int NODES_MAX = 32;
    private static final int TRIES_MAX = 256;
    private static final int ROW_MAX = 64;

    private final Session session;
    private final Allocator allocator;
    private final VictimQueue victims;
    private final Action action;
    private final VictimSolver solver;
    private int tries;

    RelocationSearch(Session session, Allocator allocator, VictimQueue victims, Action action) {
        this.session = session;
        this.allocator = allocator;
        this.victims = victims;
        this.action = action;
        this.solver = new VictimSolver(session, allocator, victims, action);
    }

    /** Pods that could leave a node together, and what that frees there. */
    private record Leaver(VictimUnit unit, long freed) {}

    /** A node with what must be moved off it. */
    private record Target(ClusterSnapshot.Node node, List<VictimUnit> units, long moved) {}

    /** Moves pods for the job; answers whether it has its places then. Else nothing has changed. */
    boolean solve(Job job, VictimPolicy policy) {
        tries = 0;
        Statement statement = new Statement(session);
        policy.begin();
        if (byNode(statement, job, policy, new ArrayList<>(), NODES_MAX) || byRow(statement, job, policy)) {
            statement.commit();
            return true;
        }
        statement.discard();
        return false;
    }

    // ---- node by node ----

    private boolean byNode(Statement statement, Job job, VictimPolicy policy, List<VictimUnit> evicted, int nodesMax) {
        if (tries++ > TRIES_MAX) {
            return false;
        }
        int checkpoint = statement.checkpoint();
        if (solver.place(statement, job)) {
            if (!evicted.isEmpty() && settles(statement, policy, evicted)) {
                return true;
            }
            statement.rollback(checkpoint);
            return false;
        }
        Task task = allocator.failure().task();
        if (task == null) {
            return false;
        }
        BitSet within = allocator.failure().within();
        for (Target target : targets(task, within, policy, evicted, nodesMax)) {
            int before = statement.checkpoint();
            List<VictimUnit> more = new ArrayList<>(evicted);
            for (VictimUnit unit : target.units) {
                if (session.placer().hasRoom(task.pod(), target.node.spec().name())) {
                    break;
                }
                policy.look(unit);
                solver.evict(statement, job, List.of(unit));
                more.add(unit);
            }
            if (session.placer().hasRoom(task.pod(), target.node.spec().name())
                    && byNode(statement, job, policy, more, Math.max(1, nodesMax / 4))) {
                return true;
            }
            statement.rollback(before);
        }
        return false;
    }

    private List<Target> targets(
            Task task, @Nullable BitSet within, VictimPolicy policy, List<VictimUnit> evicted, int nodesMax) {
        Set<Job> gone = new HashSet<>();
        evicted.forEach(unit -> gone.add(unit.job()));
        int left = movesLeft(evicted);
        List<Target> targets = new ArrayList<>();
        Map<String, Map<Job, List<Task>>> byNode = movable(policy, gone);
        for (ClusterSnapshot.Node node : session.snapshot().nodes()) {
            Map<Job, List<Task>> jobs = byNode.get(node.spec().name());
            if (jobs == null || (within != null && !within.get(node.slot()))) {
                continue;
            }
            long lack = session.placer().lack(task.pod(), node);
            if (lack <= 0) {
                continue; // room that something else than resources bars, or a node that never has it
            }
            List<Leaver> leavers = new ArrayList<>();
            jobs.forEach((victim, tasks) -> leavers.add(leaver(victim, tasks, task, node)));
            leavers.sort(Comparator.comparingLong(Leaver::freed)
                    .thenComparingInt(leaver -> leaver.unit.tasks().size())
                    .thenComparing(leaver -> leaver.unit.job().key()));
            List<VictimUnit> units = fewest(leavers, lack);
            int pods = units.stream().mapToInt(unit -> unit.tasks().size()).sum();
            if (!units.isEmpty() && pods <= left) {
                long moved = units.stream().mapToLong(unit -> unit.use().gpu).sum();
                targets.add(new Target(node, units, moved * 1_000 + pods));
            }
        }
        targets.sort(Comparator.comparingLong(Target::moved)
                .thenComparing(target -> target.node.spec().name()));
        return targets.size() > nodesMax ? targets.subList(0, nodesMax) : targets;
    }

    /** The smallest leaver that frees enough alone, else the smallest ones that do together. */
    private static List<VictimUnit> fewest(List<Leaver> leavers, long lack) {
        for (Leaver leaver : leavers) {
            if (leaver.freed >= lack) {
                return List.of(leaver.unit);
            }
        }
        List<VictimUnit> units = new ArrayList<>();
        long freed = 0;
        for (Leaver leaver : leavers.reversed()) {
            units.add(leaver.unit);
            freed += leaver.freed;
            if (freed >= lack) {
                return units;
            }
        }
        return List.of();
    }

    /** By node, the jobs whose pods could be moved, with their pods there. */
    private Map<String, Map<Job, List<Task>>> movable(VictimPolicy policy, Set<Job> gone) {
        Map<String, Map<Job, List<Task>>> byNode = new LinkedHashMap<>();
        for (Job job : victims.jobs()) {
            if (!gone.contains(job) && policy.admits(job) && !policy.protectsCore(job)) {
                for (PodSet set : job.podSets()) {
                    for (Task task : set.tasks()) {
                        Place place = task.place();
                        if (place != null && VictimQueue.isThere(task)) {
                            byNode.computeIfAbsent(place.node(), _ -> new LinkedHashMap<>())
                                    .computeIfAbsent(job, _ -> new ArrayList<>())
                                    .add(task);
                        }
                    }
                }
            }
        }
        return byNode;
    }

    /** The pods there if the job can spare them, else the whole job. */
    private Leaver leaver(Job job, List<Task> there, Task wanting, ClusterSnapshot.Node node) {
        boolean spared = true;
        for (PodSet set : job.podSets()) {
            long leaving = there.stream().filter(task -> task.podSet() == set).count();
            spared &= set.allocated() - leaving >= set.minAvailable();
        }
        List<Task> tasks = there;
        if (!spared) {
            tasks = new ArrayList<>();
            for (PodSet set : job.podSets()) {
                for (Task task : set.tasks()) {
                    if (VictimQueue.isThere(task)) {
                        tasks.add(task);
                    }
                }
            }
        }
        long freed = 0;
        for (Task task : there) {
            freed += session.placer().freed(task.pod(), wanting.pod(), node);
        }
        return new Leaver(victims.unit(job, tasks, spared), freed);
    }

    // ---- victims in their order ----

    private boolean byRow(Statement statement, Job job, VictimPolicy policy) {
        policy.begin();
        VictimQueue.Walk walk = victims.new Walk(policy::admits, policy::protectsCore);
        List<VictimUnit> units = new ArrayList<>();
        int wanted = 1;
        while (true) {
            VictimUnit unit = walk.next();
            if (unit == null || unit.tasks().size() > movesLeft(units)) {
                return false;
            }
            policy.look(unit);
            units.add(unit);
            solver.evict(statement, job, List.of(unit));
            if (units.size() < wanted) {
                continue;
            }
            wanted = units.size() < ROW_MAX ? wanted + 1 : wanted * 2;
            int checkpoint = statement.checkpoint();
            if (solver.place(statement, job) && settles(statement, policy, units)) {
                return true;
            }
            statement.rollback(checkpoint);
        }
    }

    /** Places the pods anew that were evicted; answers whether those that found no place may be lost. */
    private boolean settles(Statement statement, VictimPolicy policy, List<VictimUnit> units) {
        solver.placeAnew(statement, units);
        int mark = policy.mark();
        for (VictimUnit unit : units) {
            List<Task> lost = unit.tasks().stream()
                    .filter(task -> task.status() == TaskStatus.RELEASING)
                    .toList();
            if (!lost.isEmpty() && !policy.mayLose(victims.unit(unit.job(), lost, unit.spared()))) {
                policy.undoTo(mark);
                return false;
            }
        }
        return true;
    }

    private int movesLeft(List<VictimUnit> units) {
        int max = session.options().consolidationPreempteesMax();
        if (action != Action.CONSOLIDATION || max < 0) {
            return Integer.MAX_VALUE;
        }
        return max - units.stream().mapToInt(unit -> unit.tasks().size()).sum();
    }
}
