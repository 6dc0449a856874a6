package io.atoll.apiserver.registry;

import io.atoll.model.Metadata;
import io.atoll.model.Names;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What {@code metadata} may hold. */
public final class MetadataRules {
    private static final int ANNOTATIONS_BYTES_MAX = 256 * 1024;
    private static final Set<String> GARBAGE_COLLECTOR_FINALIZERS = Set.of("orphan", "foregroundDeletion");

    private MetadataRules() {}

    static void validate(Endpoint endpoint, ObjectNode object, Mistakes mistakes) {
        String name = Metadata.name(object);
        if (name.isEmpty()) {
            mistakes.required("metadata.name", "name or generateName is required");
        } else {
            for (String error : endpoint.strategy().traits().names().errors(name)) {
                mistakes.invalid("metadata.name", name, error);
            }
        }
        labels("metadata.labels", object.path("metadata").path("labels"), mistakes);
        annotations("metadata.annotations", object.path("metadata").path("annotations"), mistakes);
        owners(object, mistakes);
        finalizers(object, mistakes);
    }

    static void validateUpdate(ObjectNode object, ObjectNode before, Mistakes mistakes) {
        if (Metadata.deleting(before)) {
            List<String> known = Metadata.finalizers(before);
            List<String> added = Metadata.finalizers(object).stream()
                    .filter(finalizer -> !known.contains(finalizer))
                    .toList();
            if (!added.isEmpty()) {
                mistakes.forbidden(
                        "metadata.finalizers",
                        "no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                                + String.join(
                                        ", ",
                                        added.stream()
                                                .map(one -> '"' + one + '"')
                                                .toList())
                                + "}");
            }
        }
    }

    /** Checks a map of labels, e.g. at {@code spec.template.labels}. */
    public static void labels(String path, JsonNode labels, Mistakes mistakes) {
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            for (String error : Names.qualifiedNameErrors(label.getKey())) {
                mistakes.invalid(path, label.getKey(), error);
            }
            for (String error : Names.labelValueErrors(label.getValue().asString(""))) {
                mistakes.invalid(path, label.getValue().asString(""), error);
            }
        }
    }

    /** Checks a map of annotations. */
    public static void annotations(String path, JsonNode annotations, Mistakes mistakes) {
        long size = 0;
        for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
            for (String error : Names.qualifiedNameErrors(annotation.getKey().toLowerCase(Locale.ROOT))) {
                mistakes.invalid(path, annotation.getKey(), error);
            }
            size += annotation.getKey().length()
                    + annotation.getValue().asString("").length();
        }
        if (size > ANNOTATIONS_BYTES_MAX) {
            mistakes.tooLong(path, ANNOTATIONS_BYTES_MAX);
        }
    }

    private static void owners(ObjectNode object, Mistakes mistakes) {
        int at = 0;
        int controllers = 0;
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            String path = "metadata.ownerReferences[" + at + "]";
            if (owner.path("apiVersion").asString("").isEmpty()) {
                mistakes.invalid(path + ".apiVersion", "", "version must not be empty");
            }
            if (owner.path("kind").asString("").isEmpty()) {
                mistakes.invalid(path + ".kind", "", "must not be empty");
            }
            if (owner.path("name").asString("").isEmpty()) {
                mistakes.invalid(path + ".name", "", "must not be empty");
            }
            if (owner.path("uid").asString("").isEmpty()) {
                mistakes.invalid(path + ".uid", "", "must not be empty");
            }
            controllers += owner.path("controller").asBoolean(false) ? 1 : 0;
            at++;
        }
        if (controllers > 1) {
            mistakes.invalid(
                    "metadata.ownerReferences",
                    object.path("metadata").path("ownerReferences"),
                    "Only one reference can have Controller set to true. Found \"true\" in references for "
                            + controllers + " owners");
        }
    }

    private static void finalizers(ObjectNode object, Mistakes mistakes) {
        List<String> finalizers = Metadata.finalizers(object);
        for (String finalizer : finalizers) {
            for (String error : Names.qualifiedNameErrors(finalizer)) {
                mistakes.invalid("metadata.finalizers", finalizer, error);
            }
        }
        if (finalizers.containsAll(GARBAGE_COLLECTOR_FINALIZERS)) {
            mistakes.invalid(
                    "metadata.finalizers",
                    object.path("metadata").path("finalizers"),
                    "finalizer orphan and finalizer foregroundDeletion cannot be both set");
        }
    }
}
