package io.atoll.scheduler.scenario;

import io.atoll.scheduler.scenario.Scenario.Node;
import io.atoll.scheduler.scenario.Scenario.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Adds up what pods take of one node and says where it is too much. */
final class RoomCount {
    private static final double CLOSE = 1e-6;
    private static final Pattern MIG = Pattern.compile("(?:nvidia\\.com/)?mig-(\\d+)g\\.\\d+gb");

    private final String name;
    private final Node node;
    private double devices;
    private double cpuMillis;
    private double memory;
    private int pods;
    private double loose;
    private final Map<String, Double> groups = new HashMap<>();
    private final Map<String, Integer> mig = new HashMap<>();

    RoomCount(String name, Node node) {
        this.name = name;
        this.node = node;
    }

    /** The slices of a device that an instance of this profile has; 0 when the name does not say. */
    static int migSlices(String profile) {
        Matcher matcher = MIG.matcher(profile);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** The part of one device a task takes on each of its devices, or 0 for whole devices. */
    static double part(Task task, Node node) {
        if (task.gpuMemory() > 0) {
            return node.gpuMemory() > 0 ? task.gpuMemory() / node.gpuMemory() : 1;
        }
        return task.gpus() > 0 && task.gpus() < 1 ? task.gpus() : 0;
    }

    void add(Task task) {
        pods++;
        cpuMillis += task.cpuMillis();
        memory += task.memory();
        task.migInstances().forEach((profile, count) -> mig.merge(profile, count, Integer::sum));
        double part = part(task, node);
        if (part == 0) {
            devices += task.gpus();
        } else if (task.gpuGroups().isEmpty()) {
            loose += part * task.gpuDevices();
        } else {
            task.gpuGroups().forEach(group -> groups.merge(group, part, Double::sum));
        }
    }

    List<String> excesses() {
        List<String> excesses = new ArrayList<>();
        double grouped = groups.isEmpty()
                ? 0
                : groups.values().stream().mapToDouble(part -> part).sum();
        if (devices + groups.size() > node.gpus() + CLOSE || devices + grouped + loose > node.gpus() + CLOSE) {
            excesses.add("GPUs of " + name);
        }
        groups.forEach((group, part) -> {
            if (part > 1 + CLOSE) {
                excesses.add("device " + group + " of " + name);
            }
        });
        mig.forEach((profile, count) -> {
            if (count > node.migInstances().getOrDefault(profile, 0)) {
                excesses.add(profile + " of " + name);
            }
        });
        if (cpuMillis > node.cpuMillis() - node.taken().cpuMillis() + CLOSE) {
            excesses.add("cpu of " + name);
        }
        if (memory > node.memory() - node.taken().memory() + CLOSE) {
            excesses.add("memory of " + name);
        }
        if (pods > node.pods()) {
            excesses.add("pods of " + name);
        }
        return excesses;
    }
}
