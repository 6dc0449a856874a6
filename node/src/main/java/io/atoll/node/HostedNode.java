package io.atoll.node;

import io.atoll.model.Quantity;
import io.atoll.model.pod.PodResources;
import io.atoll.node.gpu.DeviceLedger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One node of an agent: what it is, and what the pods on it have taken of it. Any thread.
 *
 * <p>Tens of thousands may exist in a process, so it owns no thread and no timer.
 */
final class HostedNode {
    private final Shape shape;
    private final DeviceLedger devices;
    private final Map<String, Map<String, Long>> admitted = new HashMap<>();

    /**
     * What a node is. Immutable.
     *
     * @param pool the spec that it comes from, e.g. {@code t4x1}
     * @param capacity quantities by resource
     * @param gpus whether it has any
     */
    record Shape(
            String name,
            String pool,
            String address,
            boolean simulated,
            boolean gpus,
            Map<String, String> labels,
            Map<String, String> capacity) {
        Shape {
            labels = new TreeMap<>(labels);
            capacity = new TreeMap<>(capacity);
        }
    }

    /** Why a pod cannot stay. */
    record Rejection(String reason, String message) {}

    HostedNode(Shape shape, DeviceLedger devices) {
        this.shape = shape;
        this.devices = devices;
    }

    Shape shape() {
        return shape;
    }

    String name() {
        return shape.name;
    }

    DeviceLedger devices() {
        return devices;
    }

    /** Takes a pod in whatever it asks for: it ran here before the agent came back. */
    synchronized void readmit(String uid, Map<String, Long> requests) {
        admitted.put(uid, Map.copyOf(requests));
    }

    /** Takes a pod in if it fits beside those that are here; the scheduler's view may have been stale. */
    synchronized Optional<Rejection> admit(String uid, Map<String, Long> requests) {
        if (admitted.containsKey(uid)) {
            return Optional.empty();
        }
        for (Map.Entry<String, Long> request : requests.entrySet()) {
            String resource = request.getKey();
            long capacity = PodResources.units(resource, Quantity.parse(shape.capacity.getOrDefault(resource, "0")));
            long used = admitted.values().stream()
                    .mapToLong(pod -> pod.getOrDefault(resource, 0L))
                    .sum();
            if (request.getValue() > 0 && used + request.getValue() > capacity) {
                return Optional.of(new Rejection(
                        "OutOf" + resource,
                        "Pod was rejected: Node didn't have enough resource: " + resource + ", requested: "
                                + request.getValue() + ", used: " + used + ", capacity: " + capacity));
            }
        }
        admitted.put(uid, Map.copyOf(requests));
        return Optional.empty();
    }

    /** Gives back what a pod had taken; it runs nothing any more. */
    void release(String uid) {
        synchronized (this) {
            admitted.remove(uid);
        }
        devices.release(uid);
    }
}
