package io.atoll.syncer.translate;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Walks over the parts of a pod's spec. Stateless. */
final class PodSpecs {
    static final List<String> CONTAINER_LISTS = List.of("initContainers", "containers", "ephemeralContainers");

    private PodSpecs() {}

    /** Containers of all sorts, in the tree itself. */
    static List<ObjectNode> containers(JsonNode spec) {
        List<ObjectNode> containers = new ArrayList<>();
        for (String list : CONTAINER_LISTS) {
            containers.addAll(objects(spec, list));
        }
        return containers;
    }

    /** The objects of a list field, in the tree itself; none when it is missing. */
    static List<ObjectNode> objects(JsonNode parent, String field) {
        List<ObjectNode> objects = new ArrayList<>();
        for (JsonNode item : parent.path(field)) {
            if (item instanceof ObjectNode object) {
                objects.add(object);
            }
        }
        return objects;
    }

    /** A list field, made when it is missing. */
    static ArrayNode list(ObjectNode parent, String field) {
        return parent.get(field) instanceof ArrayNode present ? present : parent.putArray(field);
    }
}
