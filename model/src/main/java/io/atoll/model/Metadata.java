package io.atoll.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes {@code metadata} of an object's tree. Missing fields read as empty. Stateless; any thread. */
public final class Metadata {
    private Metadata() {}

    /**
     * One entry of {@code ownerReferences}.
     *
     * @param controller whether the owner manages the object
     */
    public record OwnerReference(
            String apiVersion, String kind, String name, String uid, boolean controller, boolean blockOwnerDeletion) {
        public static OwnerReference of(JsonNode node) {
            return new OwnerReference(
                    node.path("apiVersion").asString(""),
                    node.path("kind").asString(""),
                    node.path("name").asString(""),
                    node.path("uid").asString(""),
                    node.path("controller").asBoolean(false),
                    node.path("blockOwnerDeletion").asBoolean(false));
        }

        public ObjectNode toTree() {
            ObjectNode node = Json.object();
            node.put("apiVersion", apiVersion)
                    .put("kind", kind)
                    .put("name", name)
                    .put("uid", uid);
            if (controller) {
                node.put("controller", true);
            }
            if (blockOwnerDeletion) {
                node.put("blockOwnerDeletion", true);
            }
            return node;
        }
    }

    /** The {@code metadata} object, created when missing. */
    public static ObjectNode of(ObjectNode object) {
        return Json.child(object, "metadata");
    }

    public static String name(JsonNode object) {
        return text(object, "name");
    }

    public static String namespace(JsonNode object) {
        return text(object, "namespace");
    }

    public static String uid(JsonNode object) {
        return text(object, "uid");
    }

    public static String generateName(JsonNode object) {
        return text(object, "generateName");
    }

    public static String resourceVersion(JsonNode object) {
        return text(object, "resourceVersion");
    }

    public static String creationTimestamp(JsonNode object) {
        return text(object, "creationTimestamp");
    }

    public static long generation(JsonNode object) {
        return object.path("metadata").path("generation").asLong(0);
    }

    /** When its deletion takes effect, in RFC 3339; empty when nobody has asked to delete it. */
    public static Optional<String> deletionTimestamp(JsonNode object) {
        String time = text(object, "deletionTimestamp");
        return time.isEmpty() ? Optional.empty() : Optional.of(time);
    }

    public static boolean deleting(JsonNode object) {
        return !text(object, "deletionTimestamp").isEmpty();
    }

    /** A copy, in order. */
    public static Map<String, String> labels(JsonNode object) {
        return strings(object.path("metadata").path("labels"));
    }

    /** A copy, in order. */
    public static Map<String, String> annotations(JsonNode object) {
        return strings(object.path("metadata").path("annotations"));
    }

    /** The value of a label; empty when it is missing. */
    public static String label(JsonNode object, String key) {
        return object.path("metadata").path("labels").path(key).asString("");
    }

    /** The value of an annotation; empty when it is missing. */
    public static String annotation(JsonNode object, String key) {
        return object.path("metadata").path("annotations").path(key).asString("");
    }

    public static List<String> finalizers(JsonNode object) {
        List<String> names = new ArrayList<>();
        for (JsonNode finalizer : object.path("metadata").path("finalizers")) {
            names.add(finalizer.asString(""));
        }
        return names;
    }

    public static List<OwnerReference> ownerReferences(JsonNode object) {
        List<OwnerReference> owners = new ArrayList<>();
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            owners.add(OwnerReference.of(owner));
        }
        return owners;
    }

    /** The owner that manages the object. */
    public static Optional<OwnerReference> controller(JsonNode object) {
        return ownerReferences(object).stream()
                .filter(OwnerReference::controller)
                .findFirst();
    }

    public static void setName(ObjectNode object, String name) {
        of(object).put("name", name);
    }

    public static void setNamespace(ObjectNode object, String namespace) {
        setText(object, "namespace", namespace);
    }

    public static void setUid(ObjectNode object, String uid) {
        setText(object, "uid", uid);
    }

    public static void setResourceVersion(ObjectNode object, String resourceVersion) {
        setText(object, "resourceVersion", resourceVersion);
    }

    public static void setGeneration(ObjectNode object, long generation) {
        of(object).put("generation", generation);
    }

    public static void setLabel(ObjectNode object, String key, String value) {
        Json.child(of(object), "labels").put(key, value);
    }

    public static void setAnnotation(ObjectNode object, String key, String value) {
        Json.child(of(object), "annotations").put(key, value);
    }

    /** Replaces all labels; an empty map removes the field. */
    public static void setLabels(ObjectNode object, Map<String, String> labels) {
        setStrings(object, "labels", labels);
    }

    /** Replaces all annotations; an empty map removes the field. */
    public static void setAnnotations(ObjectNode object, Map<String, String> annotations) {
        setStrings(object, "annotations", annotations);
    }

    /** Replaces all finalizers; an empty list removes the field. */
    public static void setFinalizers(ObjectNode object, List<String> finalizers) {
        if (finalizers.isEmpty()) {
            of(object).remove("finalizers");
            return;
        }
        ArrayNode array = of(object).putArray("finalizers");
        finalizers.forEach(array::add);
    }

    /** Replaces all owners; an empty list removes the field. */
    public static void setOwnerReferences(ObjectNode object, List<OwnerReference> owners) {
        if (owners.isEmpty()) {
            of(object).remove("ownerReferences");
            return;
        }
        ArrayNode array = of(object).putArray("ownerReferences");
        owners.forEach(owner -> array.add(owner.toTree()));
    }

    private static String text(JsonNode object, String field) {
        return object.path("metadata").path(field).asString("");
    }

    private static void setText(ObjectNode object, String field, String value) {
        if (value.isEmpty()) {
            of(object).remove(field);
        } else {
            of(object).put(field, value);
        }
    }

    private static Map<String, String> strings(JsonNode map) {
        Map<String, String> copy = new LinkedHashMap<>();
        map.properties()
                .forEach(entry -> copy.put(entry.getKey(), entry.getValue().asString("")));
        return copy;
    }

    private static void setStrings(ObjectNode object, String field, Map<String, String> values) {
        if (values.isEmpty()) {
            of(object).remove(field);
            return;
        }
        ObjectNode map = of(object).putObject(field);
        values.forEach(map::put);
    }
}
