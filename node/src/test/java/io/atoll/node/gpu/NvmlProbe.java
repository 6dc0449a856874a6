package io.atoll.node.gpu;

/** Prints this machine's GPUs: run by hand on a machine that has some. */
final class NvmlProbe {
    private NvmlProbe() {}

    public static void main(String[] arguments) {
        switch (Nvml.open()) {
            case Nvml.Absent(String why) -> System.out.println(why);
            case Nvml.Present(Nvml nvml) -> {
                try (nvml) {
                    System.out.println("driver " + nvml.driverVersion() + ", CUDA " + nvml.cudaVersion());
                    nvml.devices().forEach(System.out::println);
                }
            }
        }
    }
}
