package io.atoll.scheduler.scenario;

import io.atoll.scheduler.scenario.Scenario.Expectations;
import io.atoll.scheduler.scenario.Scenario.Expected;
import io.atoll.scheduler.scenario.Scenario.Job;
import io.atoll.scheduler.scenario.Scenario.PodSet;
import io.atoll.scheduler.scenario.Scenario.Queue;
import io.atoll.scheduler.scenario.Scenario.SubGroups;
import io.atoll.scheduler.scenario.Scenario.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/**
 * Finds what cannot be right in a row whatever the scheduler does: names of nothing, more on a node than it has, a
 * queue above its limit, a gang that is not whole.
 */
final class ScenarioCheck {
    private static final Pattern RULE = Pattern.compile("[1-4]\\.\\d+");
    private static final double CLOSE = 1e-6;

    private final Scenario scenario;
    private final Map<String, Queue> queues = new LinkedHashMap<>();
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private final List<String> errors = new ArrayList<>();

    private ScenarioCheck(Scenario scenario) {
        this.scenario = scenario;
        for (Queue queue : scenario.queues()) {
            if (queues.put(queue.name(), queue) != null) {
                errors.add("queue " + queue.name() + " is there twice");
            }
        }
        for (Job job : scenario.jobs()) {
            if (jobs.put(job.name(), job) != null) {
                errors.add("job " + job.name() + " is there twice");
            }
        }
    }

    static List<String> errors(Scenario scenario) {
        ScenarioCheck check = new ScenarioCheck(scenario);
        check.names();
        check.rooms("initial", check.initial());
        check.expected(scenario.expected());
        check.expected(scenario.afterwards());
        check.settledState();
        return check.errors;
    }

    private void names() {
        if (!RULE.matcher(scenario.rule()).matches()) {
            errors.add("rule is not a section: " + scenario.rule());
        }
        for (Job job : scenario.jobs()) {
            Set<String> podSets = new HashSet<>();
            podSets(job.root()).forEach(set -> podSets.add(set.name()));
            if (job.tasks().isEmpty()) {
                errors.add("job " + job.name() + " has no tasks");
            }
            for (Task task : job.tasks()) {
                if (!podSets.contains(task.subGroup())) {
                    errors.add(task.uid() + " is of no pod set: " + task.subGroup());
                }
                if (task.state().holdsRoom() && !scenario.nodes().containsKey(task.node())) {
                    errors.add(task.uid() + " is on no node");
                }
                if (!task.state().holdsRoom() && !task.node().isEmpty()) {
                    errors.add(task.uid() + " is on a node and takes no room");
                }
                for (String node : task.nodeNames()) {
                    if (!scenario.nodes().containsKey(node)) {
                        errors.add(task.uid() + " names no node: " + node);
                    }
                }
            }
        }
        for (String action : scenario.actions()) {
            if (!ScenarioReader.ALL_ACTIONS.contains(action)) {
                errors.add("no such action: " + action);
            }
        }
    }

    private void expected(Expectations expected) {
        expected.jobs().keySet().forEach(name -> known(jobs.containsKey(name), name));
        Set<String> uids = new HashSet<>();
        scenario.jobs().forEach(job -> job.tasks().forEach(task -> uids.add(task.uid())));
        expected.tasks().keySet().forEach(uid -> known(uids.contains(uid), uid));
        expected.nodes().keySet().forEach(node -> known(scenario.nodes().containsKey(node), node));
        Set<String> covered = new HashSet<>(expected.jobs().keySet());
        expected.tasks().keySet().forEach(uid -> covered.add(uid.substring(0, uid.lastIndexOf('-'))));
        for (Scenario.Counted counted : expected.counts()) {
            counted.jobs().forEach(name -> known(jobs.containsKey(name), name));
            covered.addAll(counted.jobs());
            int pods = scenario.jobs().stream()
                    .filter(job -> counted.jobs().contains(job.name()))
                    .mapToInt(job -> job.tasks().size())
                    .sum();
            int states =
                    counted.states().values().stream().mapToInt(count -> count).sum();
            if (pods != states) {
                errors.add("counts add up to " + states + " of " + pods + " pods");
            }
        }
        for (Map.Entry<String, Expected> each : expected.tasks().entrySet()) {
            node(each.getKey(), each.getValue());
        }
        for (Map.Entry<String, Expected> each : expected.jobs().entrySet()) {
            node(each.getKey(), each.getValue());
        }
        jobs.keySet().stream()
                .filter(name -> !covered.contains(name))
                .forEach(name -> errors.add("nothing is expected of job " + name));
    }

    private void node(String name, Expected expected) {
        if (!expected.node().isEmpty() && !scenario.nodes().containsKey(expected.node())) {
            errors.add(name + " is expected on no node: " + expected.node());
        }
    }

    private void known(boolean known, String name) {
        if (!known) {
            errors.add("expected of nothing: " + name);
        }
    }

    private Map<String, List<Task>> initial() {
        Map<String, List<Task>> placed = new HashMap<>();
        scenario.jobs()
                .forEach(job -> job.tasks().stream()
                        .filter(task -> task.state().holdsRoom())
                        .forEach(task -> placed.computeIfAbsent(task.node(), _ -> new ArrayList<>())
                                .add(task)));
        return placed;
    }

    private void rooms(String when, Map<String, List<Task>> placed) {
        scenario.nodes().forEach((name, node) -> {
            RoomCount room = new RoomCount(name, node);
            placed.getOrDefault(name, List.of()).forEach(room::add);
            room.excesses().forEach(excess -> errors.add(when + ": too many " + excess));
        });
    }

    private void settledState() {
        Map<String, List<Task>> placed = new HashMap<>();
        Map<String, List<Task>> running = new HashMap<>();
        List<Task> all = new ArrayList<>();
        for (Job job : scenario.jobs()) {
            for (Task task : job.tasks()) {
                Optional<Expected> expected = settled(job, task);
                if (expected.isPresent() && expected.get().state() == PodState.RUNNING) {
                    String node = expected.get().node();
                    placed.computeIfAbsent(node, _ -> new ArrayList<>()).add(task);
                    running.computeIfAbsent(job.name(), _ -> new ArrayList<>()).add(task);
                    all.add(task);
                }
            }
            gang(job, running.getOrDefault(job.name(), List.of()));
        }
        rooms("settled", placed);
        double devices = scenario.nodes().values().stream()
                .mapToDouble(Scenario.Node::gpus)
                .sum();
        if (all.stream().mapToDouble(this::gpus).sum() > devices + CLOSE) {
            errors.add("settled: more GPUs than there are");
        }
        limits(running);
    }

    private Optional<Expected> settled(Job job, Task task) {
        Expected one = scenario.afterwards().tasks().get(task.uid());
        return Optional.ofNullable(
                one != null ? one : scenario.afterwards().jobs().get(job.name()));
    }

    private void gang(Job job, List<Task> running) {
        boolean whichIsOpen = scenario.afterwards().counts().stream()
                .anyMatch(counted -> counted.jobs().contains(job.name()));
        if (running.isEmpty() || whichIsOpen) {
            return;
        }
        for (PodSet set : podSets(job.root())) {
            long now = job.tasks().stream()
                    .filter(task -> task.subGroup().equals(set.name()))
                    .filter(task -> running.contains(task) || task.state() == PodState.SUCCEEDED)
                    .count();
            long before = job.tasks().stream()
                    .filter(task -> task.subGroup().equals(set.name()))
                    .filter(task -> task.state().holdsRoom() || task.state() == PodState.SUCCEEDED)
                    .count();
            if (now < set.minAvailable() && before >= set.minAvailable()) {
                errors.add("settled: gang " + job.name() + "/" + set.name() + " is not whole");
            }
            if (now > before && now < set.minAvailable()) {
                errors.add("settled: gang " + job.name() + "/" + set.name() + " has begun and is not whole");
            }
        }
    }

    private void limits(Map<String, List<Task>> running) {
        Map<String, List<Task>> byQueue = new LinkedHashMap<>();
        for (Job job : scenario.jobs()) {
            List<Task> tasks = running.getOrDefault(job.name(), List.of());
            Queue queue = queues.get(job.queue());
            if (queue == null) {
                if (tasks.stream().anyMatch(task -> !task.state().holdsRoom())) {
                    errors.add("settled: a job of no queue runs: " + job.name());
                }
                continue;
            }
            for (int depth = 0; queue != null && depth < queues.size() + 1; depth++) {
                byQueue.computeIfAbsent(queue.name(), _ -> new ArrayList<>()).addAll(tasks);
                if (!queue.parent().isEmpty() && !queues.containsKey(queue.parent()) && anyNew(tasks)) {
                    errors.add("settled: a job of an orphan queue runs: " + job.name());
                }
                queue = queues.get(queue.parent());
            }
        }
        byQueue.forEach((name, tasks) -> {
            Queue queue = queues.get(name);
            if (queue != null && anyNew(tasks)) {
                limit(name, "GPUs", queue.limit().gpus(), tasks, this::gpus);
                limit(name, "cpu", queue.limit().cpuMillis(), tasks, Task::cpuMillis);
                limit(name, "memory", queue.limit().memory(), tasks, task -> task.memory() / 1e6);
            }
        });
    }

    private static boolean anyNew(List<Task> tasks) {
        return tasks.stream().anyMatch(task -> !task.state().holdsRoom());
    }

    private void limit(String queue, String of, double limit, List<Task> tasks, ToDoubleFunction<Task> amount) {
        double sum = tasks.stream().mapToDouble(amount).sum();
        if (limit >= 0 && sum > limit + CLOSE && sum > 0) {
            errors.add("settled: queue " + queue + " is above its limit of " + of);
        }
    }

    /** GPUs of a task, by the largest device of the cluster when it asks for memory. */
    private double gpus(Task task) {
        double part = scenario.nodes().values().stream()
                .mapToDouble(node -> RoomCount.part(task, node))
                .min()
                .orElse(0);
        return part > 0 ? part * task.gpuDevices() : task.gpus();
    }

    private static List<PodSet> podSets(SubGroups groups) {
        List<PodSet> sets = new ArrayList<>(groups.podSets());
        groups.groups().forEach(group -> sets.addAll(podSets(group)));
        return sets;
    }
}
