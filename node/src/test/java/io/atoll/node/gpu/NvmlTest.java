package io.atoll.node.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class NvmlTest {
    /** A driver with two GPUs, the second of which knows no utilisation. */
    private static final String STUB = """
            #include <stdio.h>
            #include <string.h>
            typedef struct { int index; } device;
            static device devices[2] = {{0}, {1}};
            int nvmlInit_v2(void) { return 0; }
            int nvmlShutdown(void) { return 0; }
            int nvmlDeviceGetCount_v2(unsigned *count) { *count = 2; return 0; }
            int nvmlDeviceGetHandleByIndex_v2(unsigned i, device **d) { *d = &devices[i]; return 0; }
            int nvmlDeviceGetUUID(device *d, char *out, unsigned n) { snprintf(out, n, "GPU-%d", d->index); return 0; }
            int nvmlDeviceGetName(device *d, char *out, unsigned n) { strncpy(out, "NVIDIA H200", n); return 0; }
            int nvmlDeviceGetMemoryInfo(device *d, unsigned long long *m) {
                m[0] = 143771ULL << 20; m[1] = 143000ULL << 20; m[2] = 771ULL << 20; return 0; }
            int nvmlDeviceGetUtilizationRates(device *d, unsigned *u) { u[0] = 42; u[1] = 7; return d->index == 1 ? 3 : 0; }
            int nvmlDeviceGetCudaComputeCapability(device *d, int *major, int *minor) { *major = 9; *minor = 0; return 0; }
            int nvmlSystemGetDriverVersion(char *out, unsigned n) { strncpy(out, "570.172.08", n); return 0; }
            int nvmlSystemGetCudaDriverVersion_v2(int *v) { *v = 12080; return 0; }
            const char *nvmlErrorString(int code) { return "an error"; }
            """;

    @TempDir
    Path dir;

    @Test
    void aMachineWithoutADriverIsAValue() {
        assertThat(Nvml.open("libno-such-driver.so.1"))
                .isEqualTo(new Nvml.Absent("no NVIDIA driver: libno-such-driver.so.1 is not on this machine"));
    }

    @Test
    void devicesAreAsTheDriverSays() throws Exception {
        Path library = dir.resolve("libstub.so");
        if (!compile(library)) {
            // Without a C compiler what can be tried is a library that is not NVML.
            assertThat(Nvml.open("libm.so.6")).isInstanceOf(Nvml.Absent.class);
            return;
        }
        Nvml.Opened opened = Nvml.open(library.toString());
        assertThat(opened).isInstanceOf(Nvml.Present.class);
        try (Nvml nvml = ((Nvml.Present) opened).nvml()) {
            assertThat(nvml.devices())
                    .isEqualTo(List.of(
                            new Nvml.Device(0, "GPU-0", "NVIDIA H200", 143771, 771, 42, 7, 9, 0),
                            new Nvml.Device(1, "GPU-1", "NVIDIA H200", 143771, 771, 0, 0, 9, 0)));
            assertThat(nvml.driverVersion()).isEqualTo("570.172.08");
            assertThat(nvml.cudaVersion()).isEqualTo("12.8");
        }
    }

    @Test
    void aKnownProductHasTheCataloguesLabels() {
        assertThat(GpuModel.ofProduct("NVIDIA H200", 143771).labels(1))
                .containsEntry("cloud.google.com/gke-accelerator", "nvidia-h200-141gb")
                .containsEntry("nvidia.com/gpu.product", "NVIDIA-H200");
        assertThat(GpuModel.ofProduct("NVIDIA RTX 9090", 1024).labels(1))
                .containsEntry("nvidia.com/gpu.product", "NVIDIA-RTX-9090")
                .doesNotContainKey("cloud.google.com/gke-accelerator");
    }

    private boolean compile(Path library) throws IOException, InterruptedException {
        Path source = Files.writeString(dir.resolve("stub.c"), STUB);
        try {
            return new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
