package io.atoll.node;

import io.atoll.node.gpu.GpuModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NodeSpecTest {
    @Test
    void readsEveryForm() {
        GpuModel t4 = GpuModel.find("T4").orElseThrow();
        assertThat(NodeSpec.parse("2:T4x1")).isEqualTo(new NodeSpec.Gpu(2, t4, 1, false));
        assertThat(NodeSpec.parse("1000:t4X8:sim")).isEqualTo(new NodeSpec.Gpu(1000, t4, 8, true));
        assertThat(NodeSpec.parse("1:A100-80GBx8"))
                .isEqualTo(new NodeSpec.Gpu(1, GpuModel.find("A100-80GB").orElseThrow(), 8, false));
        assertThat(NodeSpec.parse("1:cpu")).isEqualTo(new NodeSpec.Cpu(1, false));
        assertThat(NodeSpec.parse("3:cpu:sim")).isEqualTo(new NodeSpec.Cpu(3, true));
        assertThat(NodeSpec.parse("auto")).isEqualTo(new NodeSpec.ThisMachine());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "T4x1|it is not COUNT:MODELxGPUS[:sim]",
                "nodes|try 2:T4x1",
                "0:T4x1|the node count '0' must be a number from 1 to 100000",
                "many:T4x1|the node count 'many' must be",
                "1:T4|'T4' lacks the GPUs per node; write T4x1 for one",
                "1:T4x|the GPUs per node '' must be a number from 1 to 16",
                "1:T4x17|the GPUs per node '17' must be",
                "1:T5x1|GPU model 'T5' is unknown; known are",
                "1:T4x1:real|'real' may only be 'sim'",
                "1:T4x1:sim:sim|it is not COUNT",
            })
    void namesTheMistake(String spec, String message) {
        assertThatThrownBy(() -> NodeSpec.parse(spec))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node spec '" + spec + "'")
                .hasMessageContaining(message);
    }

    @Test
    void theCatalogueIsSelectableByName() {
        for (GpuModel model : GpuModel.catalogue()) {
            assertThat(NodeSpec.parse("1:" + model.name() + "x8")).isEqualTo(new NodeSpec.Gpu(1, model, 8, false));
            assertThat(model.labels(8)).containsEntry("nvidia.com/gpu.count", "8");
            assertThat(model.instance(3).gpus()).isEqualTo(3);
        }
    }
}
