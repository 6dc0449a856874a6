package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.patch.ManagedFields.Owner;
import io.atoll.model.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The way from client-side to server-side apply. What {@code kubectl apply} wrote last is in an annotation; when the
 * same kubectl applies on the server, these fields are its own although another manager holds them. Stateless.
 */
final class LastApplied {
    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
    private static final String KUBECTL = "kubectl";
    private static final int ANNOTATIONS_BYTES_MAX = 256 * 1024;

    private LastApplied() {}

    /** Whether every contested field still has the value of the last client-side apply. */
    static boolean allows(@Nullable Schema schema, ObjectNode live, String manager, Map<Owner, FieldSet> conflicts) {
        String text = Metadata.annotation(live, ANNOTATION);
        if (!manager.equals(KUBECTL) || conflicts.isEmpty() || text.isEmpty()) {
            return false;
        }
        ObjectNode last;
        try {
            last = Json.parse(text);
        } catch (ApiException unreadable) {
            return false;
        }
        Comparison drift = Comparison.of(schema, live, last);
        FieldSet own = ObjectFields.of(schema, last).difference(drift.added()).difference(drift.modified());
        return conflicts.values().stream()
                .allMatch(contested -> contested.difference(own).isEmpty());
    }

    /** Keeps the annotation in step, for those who go back to client-side apply. */
    static void refresh(ObjectNode live, ObjectNode merged, ObjectNode applied, String manager) {
        if (!manager.equals(KUBECTL) || Metadata.annotation(live, ANNOTATION).isEmpty()) {
            return;
        }
        ObjectNode plain = applied.deepCopy();
        if (plain.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            annotations.remove(ANNOTATION);
        }
        String text = Json.encodeToString(plain) + "\n";
        boolean fits = text.getBytes(StandardCharsets.UTF_8).length <= ANNOTATIONS_BYTES_MAX;
        Metadata.setAnnotation(merged, ANNOTATION, fits ? text : "");
    }
}
