package io.atoll.scheduler.scenario;

import io.atoll.scheduler.scenario.Scenario.Constraint;
import io.atoll.scheduler.scenario.Scenario.Job;
import io.atoll.scheduler.scenario.Scenario.PodSet;
import io.atoll.scheduler.scenario.Scenario.SubGroups;
import io.atoll.scheduler.scenario.Scenario.Task;
import io.atoll.scheduler.scenario.Scenario.Toleration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads a row's jobs and their tasks; of equal priority, an earlier job is an older one. */
final class JobReader {
    static final String DEFAULT_POD_SET = "default";
    private static final int PRIORITY_DEFAULT = 50;
    private static final int NON_PREEMPTIBLE_FROM = 100;

    private JobReader() {}

    /** What a task takes from its job when it says nothing itself. */
    private record Shape(double gpus, int gpuDevices, double gpuMemory, double cpuMillis, double memory) {}

    static List<Job> read(Fields row) {
        List<Job> jobs = new ArrayList<>(row.list("Jobs", JobReader::job));
        jobs.sort(Comparator.comparingInt(Job::priority).reversed());
        List<Job> aged = new ArrayList<>();
        for (int index = 0; index < jobs.size(); index++) {
            Job job = jobs.get(index);
            double age = job.ageMinutes() >= 0 ? job.ageMinutes() : jobs.size() - index;
            aged.add(new Job(
                    job.name(),
                    job.namespace(),
                    job.queue(),
                    job.priority(),
                    job.preemptible(),
                    age,
                    job.staleSeconds(),
                    job.startedSecondsAgo(),
                    job.deleted(),
                    job.ready(),
                    job.root(),
                    job.tasks()));
        }
        return aged;
    }

    private static Job job(Fields given) {
        String name = given.text("Name");
        int priority = given.whole("Priority", PRIORITY_DEFAULT);
        boolean bestEffort = given.flag("IsBestEffortJob", false);
        Shape shape = new Shape(
                given.number("RequiredGPUsPerTask", 0),
                given.whole("RequiredMultiFractionDevicesPerTask", 1),
                given.number("RequiredGpuMemory", 0),
                bestEffort ? 0 : given.number("RequiredCPUsPerTask", 0),
                bestEffort ? 0 : given.number("RequiredMemoryPerTask", 0));
        List<Task> tasks = new ArrayList<>();
        given.list("Tasks", task -> tasks.add(task(name + "-" + tasks.size(), shape, task)));
        return new Job(
                name,
                given.text("Namespace", "default"),
                given.text("QueueName"),
                priority,
                preemptible(given, priority),
                given.number("JobAgeInMinutes", -1),
                given.number("StaleDuration"),
                given.number("StartedSecondsAgo"),
                given.flag("DeleteJobInTest", false),
                !given.flag("JobNotReadyForSsn", false),
                given.object("RootSubGroupSet", JobReader::subGroups).orElseGet(() -> gangOf(tasks.size())),
                tasks);
    }

    private static boolean preemptible(Fields given, int priority) {
        return switch (given.text("Preemptibility", "")) {
            case "" -> priority < NON_PREEMPTIBLE_FROM;
            case "preemptible" -> true;
            case "non-preemptible" -> false;
            default -> throw new IllegalArgumentException(given.where() + ": field Preemptibility is not one of two");
        };
    }

    private static Task task(String uid, Shape shape, Fields given) {
        OptionalDouble gpus = given.number("RequiredGPUs");
        return new Task(
                uid,
                given.text("SubGroupName", DEFAULT_POD_SET),
                gpus.orElse(shape.gpus()),
                shape.gpuDevices(),
                gpus.isPresent() ? 0 : shape.gpuMemory(),
                given.number("RequiredCPUs", shape.cpuMillis()),
                given.number("RequiredMemory", shape.memory()),
                given.countMap("RequiredMigInstances"),
                given.flag("IsLegacyMigTask", false),
                PodState.parse(given.where(), given.text("State")),
                given.text("NodeName", ""),
                given.texts("GPUGroups"),
                priority(given),
                given.texts("NodeAffinityNames"),
                given.textMap("NodeSelector"),
                given.list(
                        "Tolerations",
                        each -> new Toleration(each.text("Key", ""), each.text("Value", ""), each.text("Effect", ""))),
                given.wholes("HostPorts"),
                given.textMap("PodAffinityLabels"),
                given.text("PodAffinityTopologyKey", ""),
                given.text("PodAntiAffinityTopologyKey", ""),
                given.text("NominatedNodeName", ""),
                given.textMap("ResourceClaimTemplates"),
                given.texts("ResourceClaimNames"));
    }

    private static Optional<Integer> priority(Fields given) {
        return given.has("Priority") ? Optional.of(given.whole("Priority", 0)) : Optional.empty();
    }

    private static SubGroups gangOf(int tasks) {
        return new SubGroups(
                "", Optional.empty(), List.of(new PodSet(DEFAULT_POD_SET, tasks, Optional.empty())), List.of());
    }

    private static SubGroups subGroups(Fields given) {
        return new SubGroups(
                given.text("Name", ""),
                given.object("Topology", JobReader::constraint),
                given.list("PodSets", JobReader::podSet),
                given.list("Groups", JobReader::subGroups));
    }

    private static PodSet podSet(Fields given) {
        return new PodSet(
                given.text("Name"),
                Math.max(given.whole("MinAvailable", 1), 1),
                given.object("Topology", JobReader::constraint));
    }

    private static Constraint constraint(Fields given) {
        return new Constraint(given.text("Name"), given.text("Required", ""), given.text("Preferred", ""));
    }
}
