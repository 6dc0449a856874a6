package io.atoll.scheduler.grouper;

import io.atoll.model.Metadata;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pod with its owners. Immutable as long as nobody changes the trees.
 *
 * @param owners nearest first; empty for a pod of its own
 */
public record Workload(ObjectNode pod, List<Owner> owners) {
    public Workload {
        owners = List.copyOf(owners);
    }

    /** The pod as an owner of itself; its tree need not say that it is a pod. */
    Owner podItself() {
        return new Owner(
                new io.atoll.model.GroupVersionKind("", "v1", "Pod"),
                Metadata.namespace(pod),
                Metadata.name(pod),
                Metadata.uid(pod),
                Optional.of(pod));
    }

    /** The last owner, or the pod when it has none. */
    Owner top() {
        return owners.isEmpty() ? podItself() : owners.getLast();
    }

    /** The nearest owner of a kind. */
    Optional<Owner> find(String group, String kind) {
        return owners.stream().filter(owner -> owner.is(group, kind)).findFirst();
    }

    /** Without the last owner. */
    Workload withoutTop() {
        return new Workload(pod, owners.subList(0, owners.size() - 1));
    }

    String label(String key) {
        return Metadata.label(pod, key);
    }

    String annotation(String key) {
        return Metadata.annotation(pod, key);
    }

    /** What the nearest owner that has a label says, else what the pod says; empty when none does. */
    String nearestLabel(String key) {
        return Stream.concat(owners.stream(), Stream.of(podItself()))
                .map(owner -> owner.label(key))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }
}
