package io.atoll.node.gpu;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NvmlTest {
    @Test
    void aMachineWithoutADriverIsAValue() {
        assertThat(Nvml.open("libno-such-driver.so.1"))
                .isEqualTo(new Nvml.Absent("no NVIDIA driver: libno-such-driver.so.1 is not on this machine"));
    }

    @Test
    void aLibraryWithoutTheFunctionsIsTooOld() {
        assertThat(Nvml.open(_ -> java.util.Optional.empty()))
                .isInstanceOfSatisfying(
                        Nvml.Absent.class, absent -> assertThat(absent.why()).contains("too old"));
    }

    @Test
    void devicesAreAsTheDriverSays() {
        Nvml.Opened opened = Nvml.open(new FakeDriver());
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
}
