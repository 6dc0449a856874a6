package io.atoll.node.gpu;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A GPU product with what GKE and GPU Feature Discovery say of nodes that carry it. Immutable.
 *
 * @param name as in a node spec, e.g. {@code T4}
 * @param gkeAccelerator value of {@code cloud.google.com/gke-accelerator}; empty where GKE has no such nodes
 * @param product value of {@code nvidia.com/gpu.product}
 * @param family value of {@code nvidia.com/gpu.family}
 * @param instances the machine types that carry it, smallest first
 */
public record GpuModel(
        String name,
        String gkeAccelerator,
        String product,
        long memoryMib,
        String family,
        int computeMajor,
        int computeMinor,
        boolean migCapable,
        List<Instance> instances) {

    /** The driver that nodes of the catalogue claim to have. */
    private static final String DRIVER_VERSION = "570.172.08";

    private static final String CUDA_VERSION = "12.8";

    private static final List<GpuModel> CATALOGUE = List.of(
            new GpuModel("P4", "nvidia-tesla-p4", "Tesla-P4", 7680, "pascal", 6, 1, false, n1(8, 30)),
            new GpuModel("P100", "nvidia-tesla-p100", "Tesla-P100-PCIE-16GB", 16384, "pascal", 6, 0, false, n1(8, 30)),
            new GpuModel("V100", "nvidia-tesla-v100", "Tesla-V100-SXM2-16GB", 16384, "volta", 7, 0, false, n1(8, 30)),
            new GpuModel("V100-32GB", "", "Tesla-V100-SXM2-32GB", 32768, "volta", 7, 0, false, List.of()),
            new GpuModel("T4", "nvidia-tesla-t4", "Tesla-T4", 15360, "turing", 7, 5, false, n1(8, 30)),
            new GpuModel("A10", "", "NVIDIA-A10", 23028, "ampere", 8, 6, false, List.of()),
            new GpuModel(
                    "A100-40GB",
                    "nvidia-tesla-a100",
                    "NVIDIA-A100-SXM4-40GB",
                    40960,
                    "ampere",
                    8,
                    0,
                    true,
                    List.of(
                            new Instance("a2-highgpu-1g", 1, 12, 85),
                            new Instance("a2-highgpu-2g", 2, 24, 170),
                            new Instance("a2-highgpu-4g", 4, 48, 340),
                            new Instance("a2-highgpu-8g", 8, 96, 680),
                            new Instance("a2-megagpu-16g", 16, 96, 1360))),
            new GpuModel(
                    "A100-80GB",
                    "nvidia-a100-80gb",
                    "NVIDIA-A100-SXM4-80GB",
                    81920,
                    "ampere",
                    8,
                    0,
                    true,
                    List.of(
                            new Instance("a2-ultragpu-1g", 1, 12, 170),
                            new Instance("a2-ultragpu-2g", 2, 24, 340),
                            new Instance("a2-ultragpu-4g", 4, 48, 680),
                            new Instance("a2-ultragpu-8g", 8, 96, 1360))),
            new GpuModel(
                    "L4",
                    "nvidia-l4",
                    "NVIDIA-L4",
                    23034,
                    "ada-lovelace",
                    8,
                    9,
                    false,
                    List.of(
                            new Instance("g2-standard-8", 1, 8, 32),
                            new Instance("g2-standard-24", 2, 24, 96),
                            new Instance("g2-standard-48", 4, 48, 192),
                            new Instance("g2-standard-96", 8, 96, 384))),
            new GpuModel("L40S", "", "NVIDIA-L40S", 46068, "ada-lovelace", 8, 9, false, List.of()),
            new GpuModel(
                    "H100",
                    "nvidia-h100-80gb",
                    "NVIDIA-H100-80GB-HBM3",
                    81559,
                    "hopper",
                    9,
                    0,
                    true,
                    List.of(
                            new Instance("a3-highgpu-1g", 1, 26, 234),
                            new Instance("a3-highgpu-2g", 2, 52, 468),
                            new Instance("a3-highgpu-4g", 4, 104, 936),
                            new Instance("a3-highgpu-8g", 8, 208, 1872))),
            new GpuModel(
                    "H200",
                    "nvidia-h200-141gb",
                    "NVIDIA-H200",
                    143771,
                    "hopper",
                    9,
                    0,
                    true,
                    List.of(new Instance("a3-ultragpu-8g", 8, 224, 2952))),
            new GpuModel(
                    "B200",
                    "nvidia-b200",
                    "NVIDIA-B200",
                    183359,
                    "blackwell",
                    10,
                    0,
                    true,
                    List.of(new Instance("a4-highgpu-8g", 8, 224, 3968))));

    private static final Map<String, String> ALIASES = Map.of(
            "A100", "A100-40GB",
            "H100-80GB", "H100",
            "H200-141GB", "H200",
            "V100-16GB", "V100");

    public GpuModel {
        instances = List.copyOf(instances);
    }

    /** A machine type: how many of the GPUs it carries, and what else. */
    public record Instance(String type, int gpus, int cpus, int memoryGib) {}

    /** The models that a node spec may name. */
    public static List<GpuModel> catalogue() {
        return CATALOGUE;
    }

    /** The model of that name, in any case; {@code A100} and the like mean the smallest of their family. */
    public static Optional<GpuModel> find(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        String wanted = ALIASES.getOrDefault(upper, upper);
        return CATALOGUE.stream().filter(model -> model.name.equals(wanted)).findFirst();
    }

    /** The catalogue's entry for a product name as NVML gives it, e.g. {@code NVIDIA H200}; else one made up from it. */
    public static GpuModel ofProduct(String productName, long memoryMib) {
        String product = productName.strip().replace(' ', '-');
        return CATALOGUE.stream()
                .filter(model -> model.product.equals(product))
                .findFirst()
                .orElseGet(() -> new GpuModel(product, "", product, memoryMib, "undefined", 0, 0, false, List.of()));
    }

    /** The machine type for a number of GPUs: a real one, else one in proportion to the smallest real one. */
    public Instance instance(int gpus) {
        return instances.stream()
                .filter(instance -> instance.gpus == gpus)
                .findFirst()
                .orElseGet(() -> {
                    String type = "atoll-" + name.toLowerCase(Locale.ROOT) + "-" + gpus + "g";
                    if (instances.isEmpty()) {
                        return new Instance(type, gpus, 16 * gpus, 64 * gpus);
                    }
                    Instance base = instances.getFirst();
                    return new Instance(
                            type,
                            gpus,
                            Math.max(4, base.cpus * gpus / base.gpus),
                            Math.max(16, base.memoryGib * gpus / base.gpus));
                });
    }

    /** Labels of a node with that many of these GPUs. */
    public Map<String, String> labels(int gpus) {
        Map<String, String> labels = new TreeMap<>();
        if (!gkeAccelerator.isEmpty()) {
            labels.put("cloud.google.com/gke-accelerator", gkeAccelerator);
            labels.put("cloud.google.com/gke-accelerator-count", Integer.toString(gpus));
            labels.put("cloud.google.com/gke-gpu", "true");
            labels.put("cloud.google.com/gke-gpu-driver-version", "default");
        }
        labels.put("nvidia.com/gpu.present", "true");
        labels.put("nvidia.com/gpu.count", Integer.toString(gpus));
        labels.put("nvidia.com/gpu.product", product);
        labels.put("nvidia.com/gpu.memory", Long.toString(memoryMib));
        labels.put("nvidia.com/gpu.family", family);
        labels.put("nvidia.com/gpu.compute.major", Integer.toString(computeMajor));
        labels.put("nvidia.com/gpu.compute.minor", Integer.toString(computeMinor));
        labels.put("nvidia.com/gpu.mode", "compute");
        labels.put("nvidia.com/gpu.replicas", "1");
        labels.put("nvidia.com/gpu.sharing-strategy", "none");
        labels.put("nvidia.com/mig.capable", Boolean.toString(migCapable));
        labels.put("nvidia.com/mig.strategy", "single");
        labels.put("nvidia.com/mps.capable", "false");
        labels.put("nvidia.com/vgpu.present", "false");
        labels.putAll(driverLabels(DRIVER_VERSION, CUDA_VERSION));
        return labels;
    }

    /** Labels of a driver, e.g. {@code 570.172.08}, and the CUDA version that it brings, e.g. {@code 12.8}. */
    public static Map<String, String> driverLabels(String driverVersion, String cudaVersion) {
        Map<String, String> labels = new TreeMap<>();
        String[] driver = driverVersion.split("\\.", 3);
        labels.put("nvidia.com/cuda.driver-version.full", driverVersion);
        labels.put("nvidia.com/cuda.driver-version.major", driver[0]);
        labels.put("nvidia.com/cuda.driver-version.minor", driver.length > 1 ? driver[1] : "");
        labels.put("nvidia.com/cuda.driver-version.revision", driver.length > 2 ? driver[2] : "");
        labels.put("nvidia.com/cuda.driver.major", driver[0]);
        labels.put("nvidia.com/cuda.driver.minor", driver.length > 1 ? driver[1] : "");
        labels.put("nvidia.com/cuda.driver.rev", driver.length > 2 ? driver[2] : "");
        if (!cudaVersion.isEmpty()) {
            String[] cuda = cudaVersion.split("\\.", 2);
            labels.put("nvidia.com/cuda.runtime-version.full", cudaVersion);
            labels.put("nvidia.com/cuda.runtime-version.major", cuda[0]);
            labels.put("nvidia.com/cuda.runtime-version.minor", cuda.length > 1 ? cuda[1] : "0");
            labels.put("nvidia.com/cuda.runtime.major", cuda[0]);
            labels.put("nvidia.com/cuda.runtime.minor", cuda.length > 1 ? cuda[1] : "0");
        }
        return labels;
    }

    private static List<Instance> n1(int cpusPerGpu, int memoryGibPerGpu) {
        return List.of(
                new Instance("n1-standard-" + cpusPerGpu, 1, cpusPerGpu, memoryGibPerGpu),
                new Instance("n1-standard-" + 2 * cpusPerGpu, 2, 2 * cpusPerGpu, 2 * memoryGibPerGpu),
                new Instance("n1-standard-" + 4 * cpusPerGpu, 4, 4 * cpusPerGpu, 4 * memoryGibPerGpu));
    }
}
