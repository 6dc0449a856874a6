package io.atoll.node;

import io.atoll.node.HostedNode.Shape;
import io.atoll.node.gpu.DeviceLedger;
import io.atoll.node.gpu.GpuModel;
import io.atoll.node.gpu.Nvml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/** Works out the nodes that specs ask for: names, labels, capacity, devices. One use, one thread. */
final class NodeShapes {
    static final String RUNTIME_LABEL = "atoll.dev/runtime";

    private static final int PODS_MAX = 110;

    private final Path dir;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final List<HostedNode> nodes = new ArrayList<>();

    /** @param dir where the checkpoints of grants lie, a folder for each node that runs processes */
    NodeShapes(Path dir) {
        this.dir = dir;
    }

    List<HostedNode> expand(List<NodeSpec> specs) throws IOException {
        for (NodeSpec spec : specs) {
            switch (spec) {
                case NodeSpec.Gpu gpu -> addGpuNodes(gpu);
                case NodeSpec.Cpu cpu -> addCpuNodes(cpu);
                case NodeSpec.ThisMachine _ -> addThisMachine();
            }
        }
        if (nodes.size() > NodeSpec.NODES_MAX) {
            throw new IllegalArgumentException("the node specs ask for " + nodes.size() + " nodes; at most "
                    + NodeSpec.NODES_MAX + " fit one host");
        }
        return nodes;
    }

    private void addGpuNodes(NodeSpec.Gpu spec) throws IOException {
        GpuModel model = spec.model();
        String pool = (model.name() + "x" + spec.gpus()).toLowerCase(Locale.ROOT);
        GpuModel.Instance instance = model.instance(spec.gpus());
        for (int i = 0; i < spec.count(); i++) {
            Map<String, String> labels = new TreeMap<>(model.labels(spec.gpus()));
            labels.put("nvidia.com/gpu.machine", "Google-Compute-Engine");
            Map<String, String> capacity = capacity(instance.cpus(), (long) instance.memoryGib() << 20, 100L << 20);
            capacity.put(PodDemand.GPU, Integer.toString(spec.gpus()));
            String name = name(pool);
            List<String> devices = IntStream.range(0, spec.gpus())
                    .mapToObj(device ->
                            "GPU-" + UUID.nameUUIDFromBytes((name + "/" + device).getBytes(StandardCharsets.UTF_8)))
                    .toList();
            add(name, pool, instance.type(), spec.simulated(), labels, capacity, devices);
        }
    }

    private void addCpuNodes(NodeSpec.Cpu spec) throws IOException {
        for (int i = 0; i < spec.count(); i++) {
            Map<String, String> capacity = spec.simulated()
                    ? capacity(16, 64L << 20, 100L << 20)
                    : capacity(Runtime.getRuntime().availableProcessors(), memoryKib(), diskKib());
            String type = spec.simulated() ? "e2-standard-16" : "local";
            add(name("cpu"), "cpu", type, spec.simulated(), new TreeMap<>(), capacity, List.of());
        }
    }

    private void addThisMachine() throws IOException {
        Map<String, String> labels = new TreeMap<>();
        Map<String, String> capacity = capacity(Runtime.getRuntime().availableProcessors(), memoryKib(), diskKib());
        List<String> ids = new ArrayList<>();
        switch (Nvml.open()) {
            case Nvml.Absent _ -> {
                // a machine without GPUs is a node without GPUs
            }
            case Nvml.Present(Nvml nvml) -> {
                try (nvml) {
                    List<Nvml.Device> devices = nvml.devices();
                    devices.forEach(device -> ids.add(device.uuid()));
                    if (!devices.isEmpty()) {
                        labels.putAll(labels(devices.getFirst(), devices.size()));
                        labels.putAll(GpuModel.driverLabels(nvml.driverVersion(), nvml.cudaVersion()));
                        capacity.put(PodDemand.GPU, Integer.toString(devices.size()));
                    }
                }
            }
        }
        add(name("local"), "local", "local", false, labels, capacity, ids);
    }

    private static Map<String, String> labels(Nvml.Device device, int count) {
        Map<String, String> labels = new TreeMap<>(
                GpuModel.ofProduct(device.name(), device.memoryMib()).labels(count));
        labels.put("nvidia.com/gpu.memory", Long.toString(device.memoryMib()));
        if (device.computeMajor() > 0) {
            labels.put("nvidia.com/gpu.compute.major", Integer.toString(device.computeMajor()));
            labels.put("nvidia.com/gpu.compute.minor", Integer.toString(device.computeMinor()));
        }
        return labels;
    }

    private void add(
            String name,
            String pool,
            String instanceType,
            boolean simulated,
            Map<String, String> labels,
            Map<String, String> capacity,
            List<String> devices)
            throws IOException {
        int index = nodes.size() + 1;
        labels.put("kubernetes.io/hostname", name);
        labels.put("kubernetes.io/os", "linux");
        labels.put("kubernetes.io/arch", arch());
        labels.put("node.kubernetes.io/instance-type", instanceType);
        labels.put("topology.kubernetes.io/region", "local");
        labels.put("topology.kubernetes.io/zone", "local-a");
        labels.put("cloud.google.com/gke-nodepool", pool);
        labels.put(RUNTIME_LABEL, simulated ? "simulated" : "process");
        String address = simulated
                ? "10." + ((index >> 16) & 63) + "." + ((index >> 8) & 255) + "." + (index & 255)
                : "127.0.0.1";
        Shape shape = new Shape(name, pool, address, simulated, !devices.isEmpty(), labels, capacity);
        DeviceLedger ledger;
        if (simulated || devices.isEmpty()) {
            ledger = new DeviceLedger(devices);
        } else {
            Path folder = Files.createDirectories(dir.resolve(name));
            ledger = new DeviceLedger(devices, folder.resolve("devices.json"));
        }
        nodes.add(new HostedNode(shape, ledger));
    }

    private String name(String pool) {
        int index = indexes.merge(pool, 1, Integer::sum) - 1;
        return pool + "-" + index;
    }

    static String arch() {
        String arch = System.getProperty("os.arch", "amd64");
        return arch.equals("aarch64") ? "arm64" : arch;
    }

    private static Map<String, String> capacity(long cpus, long memoryKib, long storageKib) {
        Map<String, String> capacity = new TreeMap<>();
        capacity.put("cpu", Long.toString(cpus));
        capacity.put("memory", memoryKib + "Ki");
        capacity.put("ephemeral-storage", storageKib + "Ki");
        capacity.put("hugepages-1Gi", "0");
        capacity.put("hugepages-2Mi", "0");
        capacity.put("pods", Integer.toString(PODS_MAX));
        return capacity;
    }

    private static long memoryKib() throws IOException {
        Path info = Path.of("/proc/meminfo");
        if (Files.isReadable(info)) {
            for (String line : Files.readAllLines(info)) {
                if (line.startsWith("MemTotal:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
        }
        return 8L << 20;
    }

    private long diskKib() throws IOException {
        Files.createDirectories(dir);
        return Files.getFileStore(dir).getTotalSpace() >> 10;
    }
}
