package io.atoll.node.gpu;

import io.atoll.model.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which pod holds which GPUs of a node. Any thread.
 *
 * <p>No device is ever held by two pods. With a checkpoint file a grant is on disk before a container can see the
 * device, and it is known again after a restart.
 */
public final class DeviceLedger {
    private final List<String> devices;
    private final @Nullable Path checkpoint;
    private final Map<String, Map<String, List<String>>> grants = new TreeMap<>();

    /** A ledger that is forgotten with the process: for devices that do not exist. */
    public DeviceLedger(List<String> devices) {
        this.devices = List.copyOf(devices);
        this.checkpoint = null;
    }

    /** A ledger kept in a file. */
    public DeviceLedger(List<String> devices, Path checkpoint) {
        this.devices = List.copyOf(devices);
        this.checkpoint = checkpoint;
        if (Files.exists(checkpoint)) {
            try {
                ObjectNode saved = Json.parse(Files.readAllBytes(checkpoint));
                saved.properties().forEach(pod -> grants.put(pod.getKey(), containers(pod.getValue())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** How many devices each kind of container of a pod asks for, in the order of the spec. */
    public record Demand(Map<String, Integer> initContainers, Map<String, Integer> containers) {
        public Demand {
            initContainers = Collections.unmodifiableMap(new LinkedHashMap<>(initContainers));
            containers = Collections.unmodifiableMap(new LinkedHashMap<>(containers));
        }

        /** Init containers run one by one before the others, so they share what the others get. */
        public int devices() {
            int together =
                    containers.values().stream().mapToInt(Integer::intValue).sum();
            int largest = initContainers.values().stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(0);
            return Math.max(together, largest);
        }
    }

    /**
     * Grants devices to a pod, or gives the grant it has already.
     *
     * @return devices by container; empty when there are too few free ones
     */
    public synchronized Optional<Map<String, List<String>>> grant(String podUid, Demand demand) {
        Map<String, List<String>> known = grants.get(podUid);
        if (known != null) {
            return Optional.of(Map.copyOf(known));
        }
        int wanted = demand.devices();
        if (wanted == 0) {
            return Optional.of(Map.of());
        }
        List<String> free = free();
        if (free.size() < wanted) {
            return Optional.empty();
        }
        Map<String, List<String>> granted = new TreeMap<>();
        int next = 0;
        for (Map.Entry<String, Integer> container : demand.containers.entrySet()) {
            granted.put(container.getKey(), List.copyOf(free.subList(next, next + container.getValue())));
            next += container.getValue();
        }
        demand.initContainers.forEach((name, count) -> granted.put(name, List.copyOf(free.subList(0, count))));
        grants.put(podUid, granted);
        save();
        return Optional.of(Map.copyOf(granted));
    }

    /** Takes the devices of a pod back; none of its containers runs any more. */
    public synchronized void release(String podUid) {
        if (grants.remove(podUid) != null) {
            save();
        }
    }

    /** The pods that hold devices. */
    public synchronized Set<String> holders() {
        return Set.copyOf(grants.keySet());
    }

    public synchronized List<String> free() {
        Set<String> held = new HashSet<>();
        grants.values().forEach(containers -> containers.values().forEach(held::addAll));
        return devices.stream().filter(device -> !held.contains(device)).toList();
    }

    private void save() {
        if (checkpoint == null) {
            return;
        }
        ObjectNode saved = Json.object();
        grants.forEach((pod, containers) -> {
            ObjectNode entry = saved.putObject(pod);
            containers.forEach((container, ids) -> {
                ArrayNode list = entry.putArray(container);
                ids.forEach(list::add);
            });
        });
        Path fresh = checkpoint.resolveSibling(checkpoint.getFileName() + ".tmp");
        try {
            Files.write(fresh, Json.encode(saved));
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(fresh, checkpoint, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot record the grants of GPUs", e);
        }
    }

    private static Map<String, List<String>> containers(JsonNode saved) {
        Map<String, List<String>> containers = new TreeMap<>();
        saved.properties().forEach(container -> {
            List<String> ids = new ArrayList<>();
            container.getValue().forEach(id -> ids.add(id.asString("")));
            containers.put(container.getKey(), List.copyOf(ids));
        });
        return containers;
    }
}
