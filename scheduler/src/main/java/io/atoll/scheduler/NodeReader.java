package io.atoll.scheduler;

import io.atoll.model.Metadata;
import io.atoll.model.pod.PodResources;
import io.atoll.scheduler.core.NodeSpec;
import io.atoll.scheduler.core.Taint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what scheduling needs to know off nodes' trees. Stateless. */
final class NodeReader {
    private NodeReader() {}

    static NodeSpec read(ObjectNode node) {
        List<Taint> taints = new ArrayList<>();
        for (JsonNode taint : node.path("spec").path("taints")) {
            PodReader.effect(taint.path("effect").asString(""))
                    .ifPresent(effect -> taints.add(new Taint(
                            taint.path("key").asString(""), taint.path("value").asString(""), effect)));
        }
        Map<String, Long> allocatable = new LinkedHashMap<>();
        PodResources.quantities(node.path("status").path("allocatable"))
                .forEach((resource, quantity) -> allocatable.put(resource, PodResources.units(resource, quantity)));
        return new NodeSpec(
                Metadata.name(node),
                Metadata.labels(node),
                taints,
                node.path("spec").path("unschedulable").asBoolean(false),
                allocatable);
    }
}
