package io.atoll.scheduler.scenario;

import io.atoll.scheduler.scenario.Scenario.Amounts;
import io.atoll.scheduler.scenario.Scenario.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads a row's queues and departments into one list of queues with parents. */
final class QueueReader {
    static final double UNLIMITED = -1;
    private static final String DEFAULT_DEPARTMENT = "default";

    private QueueReader() {}

    static List<Queue> read(Fields row) {
        List<Queue> departments = row.list("Departments", QueueReader::department);
        boolean disabled = row.flag("DisableDefaultDepartment", false);
        List<Queue> queues = row.list("Queues", QueueReader::queue);
        List<Queue> all = new ArrayList<>(departments);
        if (departments.isEmpty() && !disabled) {
            all.add(unlimited(DEFAULT_DEPARTMENT));
            queues.forEach(queue -> all.add(under(DEFAULT_DEPARTMENT, queue)));
        } else {
            all.addAll(queues);
        }
        return all;
    }

    private static Queue department(Fields given) {
        double quota = given.number("DeservedGPUs", 0);
        return new Queue(
                given.text("Name"),
                "",
                given.number("Priority"),
                new Amounts(quota, given.number("DeservedCPUs", UNLIMITED), given.number("DeservedMemory", UNLIMITED)),
                limits(given),
                new Amounts(given.number("GPUOverQuotaWeight", quota), 1, 1),
                given.number("PreemptMinRuntime"),
                given.number("ReclaimMinRuntime"),
                given.object("Usage", ScenarioReader::amounts));
    }

    private static Queue queue(Fields given) {
        given.number("InteractiveTimeoutInMinutes");
        given.flag("UseOnlyFreeCPUResources", false);
        return new Queue(
                given.text("Name"),
                given.text("ParentQueue", ""),
                given.number("Priority"),
                new Amounts(
                        given.number("DeservedGPUs", 0),
                        given.number("DeservedCPUs", UNLIMITED),
                        given.number("DeservedMemory", UNLIMITED)),
                limits(given),
                new Amounts(
                        given.number("GPUOverQuotaWeight", 0),
                        given.number("CPUOverQuotaWeight", 1),
                        given.number("MemoryOverQuotaWeight", 1)),
                given.number("PreemptMinRuntime"),
                given.number("ReclaimMinRuntime"),
                given.object("Usage", ScenarioReader::amounts));
    }

    private static Amounts limits(Fields given) {
        double gpus = given.number("MaxAllowedGPUs", 0);
        return new Amounts(
                gpus == 0 ? UNLIMITED : gpus,
                given.number("MaxAllowedCPUs", UNLIMITED),
                given.number("MaxAllowedMemory", UNLIMITED));
    }

    private static Queue unlimited(String name) {
        Amounts unlimited = new Amounts(UNLIMITED, UNLIMITED, UNLIMITED);
        return new Queue(
                name,
                "",
                OptionalDouble.empty(),
                unlimited,
                unlimited,
                new Amounts(1, 1, 1),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty());
    }

    private static Queue under(String parent, Queue queue) {
        return new Queue(
                queue.name(),
                parent,
                queue.priority(),
                queue.quota(),
                queue.limit(),
                queue.weight(),
                queue.preemptMinRuntime(),
                queue.reclaimMinRuntime(),
                queue.usage());
    }
}
