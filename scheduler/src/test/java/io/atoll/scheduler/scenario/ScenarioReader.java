package io.atoll.scheduler.scenario;

import io.atoll.model.Json;
import io.atoll.scheduler.scenario.Scenario.Amounts;
import io.atoll.scheduler.scenario.Scenario.Calls;
import io.atoll.scheduler.scenario.Scenario.Claim;
import io.atoll.scheduler.scenario.Scenario.Counted;
import io.atoll.scheduler.scenario.Scenario.Devices;
import io.atoll.scheduler.scenario.Scenario.Expectations;
import io.atoll.scheduler.scenario.Scenario.Expected;
import io.atoll.scheduler.scenario.Scenario.Node;
import io.atoll.scheduler.scenario.Scenario.NodeGpus;
import io.atoll.scheduler.scenario.Scenario.Rounds;
import io.atoll.scheduler.scenario.Scenario.Slice;
import io.atoll.scheduler.scenario.Scenario.Taint;
import io.atoll.scheduler.scenario.Scenario.Topology;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Reads the rows of a file and fills in what they leave out; any field it does not know is an error. */
final class ScenarioReader {
    static final List<String> ALL_ACTIONS =
            List.of("allocate", "consolidation", "reclaim", "preempt", "stalegangeviction");
    private static final double CPU_MILLIS_DEFAULT = 20_000;
    private static final double MEMORY_DEFAULT = 20e9;
    private static final int PODS_DEFAULT = 110;
    private static final double GPU_MEMORY_DEFAULT = 100;

    private ScenarioReader() {}

    /**
     * @param directory the action the rows are about, or {@code integration}
     * @throws IllegalArgumentException naming file, row and field that are wrong
     */
    static List<Scenario> read(String directory, String file, byte[] json) {
        JsonNode rows = Json.parseValue(json);
        if (!rows.isArray()) {
            throw new IllegalArgumentException(file + ": not a list of rows");
        }
        return Stream.iterate(0, index -> index < rows.size(), index -> index + 1)
                .map(index -> {
                    String where = file + "[" + index + "]";
                    JsonNode row = rows.path(index);
                    String name = row.path("name").asString(row.path("Name").asString(""));
                    try (Fields fields = new Fields(name.isEmpty() ? where : file + ": " + name, row)) {
                        return row(directory, file, fields);
                    }
                })
                .toList();
    }

    private static Scenario row(String directory, String file, Fields row) {
        boolean integration = directory.equals("integration");
        String name = row.text("name");
        String rule = row.text("rule", "");
        List<String> given = row.texts("Actions");
        List<String> actions = given.isEmpty() ? integration ? ALL_ACTIONS : List.of(directory) : given;
        List<String> settling = row.texts("SettlingActions");
        if (settling.isEmpty()) {
            settling = integration
                    ? actions
                    : Stream.concat(Stream.of("allocate"), actions.stream())
                            .distinct()
                            .toList();
        }
        Rounds rounds = new Rounds(
                row.whole("RoundsUntilMatch", integration ? 2 : 1),
                row.whole("RoundsAfterMatch", 5),
                row.number("SchedulingDuration", 0));
        Scenario.Settings settings = SettingsReader.read(row);
        Map<String, Node> nodes = row.map("Nodes", ScenarioReader::node);
        List<Scenario.Queue> queues = QueueReader.read(row);
        List<Scenario.Job> jobs = JobReader.read(row);
        List<Topology> topologies =
                row.list("Topologies", topology -> new Topology(topology.text("Name"), topology.texts("Levels")));
        Devices devices = new Devices(
                row.texts("DeviceClasses"),
                row.list("ResourceSlices", ScenarioReader::slice),
                row.list("ResourceClaims", ScenarioReader::claim));
        Expectations expected = expectations(row);
        Expectations afterwards =
                row.object("Settled", ScenarioReader::expectations).orElseGet(() -> settled(expected));
        Optional<Calls> calls = row.object("Mocks", ScenarioReader::mocks).flatMap(found -> found);
        return new Scenario(
                file,
                name,
                rule,
                actions,
                settling,
                rounds,
                settings,
                nodes,
                queues,
                jobs,
                topologies,
                devices,
                expected,
                afterwards,
                calls);
    }

    private static Node node(Fields node) {
        Map<String, String> labels = new LinkedHashMap<>(node.textMap("Labels"));
        String gpuName = node.text("GPUName", "");
        if (!gpuName.isEmpty()) {
            labels.put("nvidia.com/gpu.product", gpuName);
        }
        return new Node(
                node.number("GPUs", 0),
                node.text("MigStrategy", ""),
                node.countMap("MigInstances"),
                node.number("CPUMillis", CPU_MILLIS_DEFAULT),
                node.number("CPUMemory", MEMORY_DEFAULT),
                node.number("GPUMemory", GPU_MEMORY_DEFAULT),
                node.flag("GpuMemorySynced", true),
                node.whole("MaxTaskNum", PODS_DEFAULT),
                labels,
                node.list(
                        "Taints", taint -> new Taint(taint.text("Key"), taint.text("Value", ""), taint.text("Effect"))),
                node.flag("Ready", true),
                node.object("OtherSchedulers", ScenarioReader::amounts).orElse(new Amounts(0, 0, 0)));
    }

    static Amounts amounts(Fields amounts) {
        return new Amounts(amounts.number("GPUs", 0), amounts.number("CPUMillis", 0), amounts.number("Memory", 0));
    }

    private static Slice slice(Fields slice) {
        return new Slice(
                slice.text("Name"),
                slice.text("DeviceClassName"),
                slice.text("NodeName", ""),
                slice.textMap("NodeSelector"),
                slice.flag("AllNodes", false),
                slice.whole("Count", 1));
    }

    private static Claim claim(Fields claim) {
        return new Claim(
                claim.text("Name"),
                claim.text("Namespace", "default"),
                claim.textMap("Labels"),
                claim.text("DeviceClassName"),
                claim.whole("Count", 1),
                claim.textMap("ClaimStatus"));
    }

    private static Optional<Calls> mocks(Fields mocks) {
        return mocks.object(
                "CacheRequirements",
                calls -> new Calls(
                        calls.whole("NumberOfCacheBinds", 0),
                        calls.whole("NumberOfCacheEvictions", 0),
                        calls.whole("NumberOfPipelineActions", 0)));
    }

    private static Expectations expectations(Fields row) {
        return new Expectations(
                row.map("JobExpectedResults", ScenarioReader::expected),
                row.map("TaskExpectedResults", ScenarioReader::expected),
                row.map(
                        "ExpectedNodesResources",
                        node -> new NodeGpus(node.number("ReleasingGPUs", 0), node.number("IdleGPUs", 0))),
                row.list("ExpectedCounts", ScenarioReader::counted));
    }

    private static Expected expected(Fields expected) {
        expected.number("LastStartTimestampOlderThan");
        expected.text("ExpectedErrorMessage", "");
        return new Expected(
                PodState.parse(expected.where(), expected.text("Status")),
                expected.text("NodeName", ""),
                expected.number("GPUsRequired"),
                expected.number("GPUsAccepted", 0),
                expected.number("MilliCpuRequired", 0),
                expected.number("MemoryRequired", 0),
                expected.texts("GPUGroups"),
                expected.flag("DontValidateGPUGroup", false),
                expected.text("Reason", ""));
    }

    private static Counted counted(Fields counted) {
        Map<PodState, Integer> states = new EnumMap<>(PodState.class);
        counted.countMap("Counts").forEach((state, count) -> states.put(PodState.parse(counted.where(), state), count));
        return new Counted(counted.texts("Jobs"), states, counted.whole("Nodes", 0));
    }

    private static Expectations settled(Expectations expected) {
        return new Expectations(
                settled(expected.jobs()),
                settled(expected.tasks()),
                Map.of(),
                expected.counts().stream()
                        .map(counted -> {
                            Map<PodState, Integer> states = new EnumMap<>(PodState.class);
                            counted.states()
                                    .forEach((state, count) -> states.merge(state.settled(), count, Integer::sum));
                            return new Counted(counted.jobs(), states, counted.nodes());
                        })
                        .toList());
    }

    private static Map<String, Expected> settled(Map<String, Expected> expected) {
        Map<String, Expected> settled = new LinkedHashMap<>();
        expected.forEach((name, each) -> {
            PodState state = each.state().settled();
            settled.put(
                    name,
                    new Expected(
                            state,
                            state == PodState.RUNNING ? each.node() : "",
                            each.gpusRequired(),
                            each.gpusAccepted(),
                            each.cpuMillis(),
                            each.memory(),
                            each.gpuGroups(),
                            each.anyGpuGroup(),
                            each.reason()));
        });
        return settled;
    }
}
