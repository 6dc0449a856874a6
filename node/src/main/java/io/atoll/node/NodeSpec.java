package io.atoll.node;

import io.atoll.node.gpu.GpuModel;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What {@code --nodes} asks for: {@code COUNT:MODELxGPUS[:sim]}, {@code COUNT:cpu[:sim]} or {@code auto}. Immutable.
 */
public sealed interface NodeSpec {
    int NODES_MAX = 100_000;
    int GPUS_PER_NODE_MAX = 16;

    /** The nodes of an embedded host when none are asked for. */
    List<NodeSpec> DEFAULT = List.of(parse("2:T4x1"), parse("1:H100x8"));

    /** Nodes with GPUs of one model. */
    record Gpu(int count, GpuModel model, int gpus, boolean simulated) implements NodeSpec {}

    /** Nodes without GPUs. */
    record Cpu(int count, boolean simulated) implements NodeSpec {}

    /** One node with this machine's CPUs, memory and GPUs as NVML reports them. */
    record ThisMachine() implements NodeSpec {}

    /**
     * Reads a spec.
     *
     * @throws IllegalArgumentException one line that names the mistake and what to write instead
     */
    static NodeSpec parse(String text) {
        String spec = text.strip();
        if (spec.equals("auto")) {
            return new ThisMachine();
        }
        String[] parts = spec.split(":", -1);
        if (parts.length < 2 || parts.length > 3) {
            throw mistake(text, "it is not COUNT:MODELxGPUS[:sim], COUNT:cpu[:sim] or auto; try 2:T4x1");
        }
        if (parts.length == 3 && !parts[2].equals("sim")) {
            throw mistake(text, "'" + parts[2] + "' may only be 'sim', for nodes that simulate their pods");
        }
        boolean simulated = parts.length == 3;
        int count = number(text, "the node count", parts[0], NODES_MAX);
        if (parts[1].toLowerCase(Locale.ROOT).equals("cpu")) {
            return new Cpu(count, simulated);
        }
        Matcher shape = Shape.PATTERN.matcher(parts[1]);
        if (!shape.matches()) {
            throw mistake(
                    text,
                    "'" + parts[1] + "' lacks the GPUs per node; write " + parts[1] + "x1 for one, or cpu for none");
        }
        int gpus = number(text, "the GPUs per node", shape.group(2), GPUS_PER_NODE_MAX);
        GpuModel model = GpuModel.find(shape.group(1))
                .orElseThrow(() -> mistake(
                        text,
                        "GPU model '" + shape.group(1) + "' is unknown; known are "
                                + GpuModel.catalogue().stream()
                                        .map(GpuModel::name)
                                        .collect(Collectors.joining(", "))));
        return new Gpu(count, model, gpus, simulated);
    }

    private static int number(String text, String what, String digits, int max) {
        if (!digits.matches("[0-9]{1,9}") || Integer.parseInt(digits) < 1 || Integer.parseInt(digits) > max) {
            throw mistake(text, what + " '" + digits + "' must be a number from 1 to " + max);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException mistake(String text, String why) {
        return new IllegalArgumentException("node spec '" + text + "': " + why);
    }

    /** {@code MODELxGPUS}. */
    final class Shape {
        private static final Pattern PATTERN = Pattern.compile("(.+)[xX]([^xX]*)");

        private Shape() {}
    }
}
