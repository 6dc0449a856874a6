package io.atoll.scheduler.scenario;

import io.atoll.scheduler.scenario.Scenario.Counted;
import io.atoll.scheduler.scenario.Scenario.Expectations;
import io.atoll.scheduler.scenario.Scenario.Expected;
import io.atoll.scheduler.scenario.Scenario.Job;
import io.atoll.scheduler.scenario.Scenario.NodeGpus;
import io.atoll.scheduler.scenario.Scenario.Task;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Says where an outcome differs from what a scenario expects, one line a difference. */
final class Comparison {
    private static final double CLOSE = 1e-4;

    private final Scenario scenario;
    private final Outcome outcome;
    private final List<String> differences = new ArrayList<>();
    private final Map<String, Map<String, String>> groupsExpected = new HashMap<>();
    private final Map<String, Map<String, String>> groupsFound = new HashMap<>();

    private Comparison(Scenario scenario, Outcome outcome) {
        this.scenario = scenario;
        this.outcome = outcome;
    }

    static List<String> differences(Scenario scenario, Expectations expected, Outcome outcome) {
        Comparison comparison = new Comparison(scenario, outcome);
        for (Job job : scenario.jobs()) {
            Expected whole = expected.jobs().get(job.name());
            if (whole != null) {
                comparison.job(job, whole);
            }
            for (Task task : job.tasks()) {
                Expected one = expected.tasks().get(task.uid());
                if (one != null) {
                    comparison.task(task, one);
                    comparison.gpusRequired(task.uid(), one, required(task));
                }
            }
        }
        expected.nodes().forEach(comparison::node);
        expected.counts().forEach(comparison::count);
        return comparison.differences;
    }

    /** Which pods are in another state or on another node than they were. */
    static List<String> changes(Outcome before, Outcome after) {
        List<String> changes = new ArrayList<>();
        before.tasks().forEach((uid, was) -> {
            Outcome.Placed is = after.tasks().get(uid);
            if (is == null || is.state() != was.state() || !is.node().equals(was.node())) {
                changes.add(uid + " was " + was + ", is " + is);
            }
        });
        return changes;
    }

    private void job(Job job, Expected expected) {
        job.tasks().forEach(task -> task(task, expected));
        gpusRequired(
                job.name(),
                expected,
                job.tasks().stream().mapToDouble(Comparison::required).sum());
        if (!expected.reason().isEmpty()) {
            List<String> reasons = outcome.reasons().getOrDefault(job.name(), List.of());
            if (!reasons.contains(expected.reason())) {
                differences.add(job.name() + " waits for " + expected.reason() + ", not for " + reasons);
            }
        }
    }

    private void gpusRequired(String name, Expected expected, double required) {
        if (expected.gpusRequired().isPresent()
                && Math.abs(expected.gpusRequired().getAsDouble() - required) > CLOSE) {
            differences.add(name + " asks for " + expected.gpusRequired().getAsDouble() + " GPUs, not " + required);
        }
    }

    private void task(Task task, Expected expected) {
        Outcome.Placed placed = outcome.tasks().get(task.uid());
        if (placed == null) {
            differences.add(task.uid() + " is gone");
            return;
        }
        if (placed.state() != expected.state()) {
            differences.add(task.uid() + " should be " + expected.state() + ", is " + placed.state()
                    + (placed.node().isEmpty() ? "" : " on " + placed.node()));
        } else if (!expected.node().isEmpty() && !placed.node().equals(expected.node())) {
            differences.add(task.uid() + " should be on " + expected.node() + ", is on " + placed.node());
        } else if (!expected.anyGpuGroup()) {
            groups(task, expected, placed);
        }
    }

    /** Groups are names of devices that each side chooses: equal names must mean equal devices on either side. */
    private void groups(Task task, Expected expected, Outcome.Placed placed) {
        if (expected.gpuGroups().size() != placed.gpuGroups().size()) {
            return;
        }
        Map<String, String> forward = groupsExpected.computeIfAbsent(placed.node(), _ -> new HashMap<>());
        Map<String, String> backward = groupsFound.computeIfAbsent(placed.node(), _ -> new HashMap<>());
        for (int index = 0; index < expected.gpuGroups().size(); index++) {
            String wanted = expected.gpuGroups().get(index);
            String found = placed.gpuGroups().get(index);
            if (!forward.computeIfAbsent(wanted, _ -> found).equals(found)
                    || !backward.computeIfAbsent(found, _ -> wanted).equals(wanted)) {
                differences.add(task.uid() + " should share device " + wanted + ", has " + found);
            }
        }
    }

    private void node(String name, NodeGpus expected) {
        NodeGpus found = outcome.nodes().get(name);
        if (found == null
                || Math.abs(found.idle() - expected.idle()) > CLOSE
                || Math.abs(found.releasing() - expected.releasing()) > CLOSE) {
            differences.add("node " + name + " should have " + expected + ", has " + found);
        }
    }

    private void count(Counted expected) {
        Map<PodState, Integer> found = new EnumMap<>(PodState.class);
        Set<String> nodes = new HashSet<>();
        for (Job job : scenario.jobs()) {
            if (!expected.jobs().contains(job.name())) {
                continue;
            }
            for (Task task : job.tasks()) {
                Outcome.Placed placed = outcome.tasks().get(task.uid());
                if (placed != null) {
                    found.merge(placed.state(), 1, Integer::sum);
                    if (!placed.node().isEmpty()) {
                        nodes.add(placed.node());
                    }
                }
            }
        }
        if (!found.equals(expected.states())) {
            differences.add(expected.jobs() + " should have " + expected.states() + ", have " + found);
        }
        if (expected.nodes() > 0 && nodes.size() != expected.nodes()) {
            differences.add(expected.jobs() + " should be on " + expected.nodes() + " nodes, are on " + nodes);
        }
    }

    /** As the rows count it: whole devices, parts of them, MIG slices by their leading figure; memory counts nothing. */
    private static double required(Task task) {
        double mig = task.migInstances().entrySet().stream()
                .mapToDouble(entry -> RoomCount.migSlices(entry.getKey()) * entry.getValue())
                .sum();
        return mig + (task.gpus() > 0 && task.gpus() < 1 ? task.gpus() * task.gpuDevices() : task.gpus());
    }
}
