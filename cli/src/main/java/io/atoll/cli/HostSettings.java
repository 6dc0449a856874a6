package io.atoll.cli;

import io.atoll.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code atoll up} is told and remembers. Immutable.
 *
 * @param port of the host's API server; 0 lets the system choose one, which is then remembered
 * @param nodes node specs, {@code COUNT:MODELxGPUS[:sim]}
 * @param taintGpus GPU nodes carry the taint {@code nvidia.com/gpu:NoSchedule}
 */
public record HostSettings(int port, List<String> nodes, boolean taintGpus) {
    /** Two nodes with a T4 each and one with eight H100s: enough for the tutorial. */
    public static final HostSettings DEFAULT = new HostSettings(0, List.of("2:T4x1", "1:H100x8"), false);

    public HostSettings {
        nodes = List.copyOf(nodes);
    }

    /** What was last saved in the directory, else the defaults. */
    public static HostSettings load(HostDirectory directory) {
        Path file = directory.settings();
        if (!Files.exists(file)) {
            return DEFAULT;
        }
        try {
            JsonNode saved = Json.parse(Files.readAllBytes(file));
            List<String> nodes = new ArrayList<>();
            saved.path("nodes").forEach(node -> nodes.add(node.asString("")));
            return new HostSettings(
                    saved.path("port").asInt(0), nodes, saved.path("taintGpus").asBoolean(false));
        } catch (IOException | RuntimeException e) {
            throw new CommandFailure("cannot read " + file + ": " + e.getMessage() + "; mend or remove the file");
        }
    }

    public void save(HostDirectory directory) {
        ObjectNode out = Json.object();
        out.put("port", port);
        nodes.forEach(out.putArray("nodes")::add);
        out.put("taintGpus", taintGpus);
        try {
            Files.createDirectories(directory.path());
            Files.write(directory.settings(), Json.encode(out));
        } catch (IOException e) {
            throw new CommandFailure("cannot write " + directory.settings() + ": " + e.getMessage());
        }
    }

    public HostSettings withPort(int newPort) {
        return new HostSettings(newPort, nodes, taintGpus);
    }
}
