package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;
import io.atoll.model.patch.ManagedFields.Owner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The refusal of an apply that would take fields from other managers. Stateless. */
final class ApplyConflict {
    private ApplyConflict() {}

    static ApiException of(Map<Owner, FieldSet> conflicts) {
        List<ApiException.Cause> causes = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        conflicts.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().display()))
                .forEach(entry -> {
                    String owner = entry.getKey().display();
                    lines.add("conflicts with " + owner + ":");
                    for (String path : entry.getValue().paths()) {
                        causes.add(new ApiException.Cause("FieldManagerConflict", "conflict with " + owner, path));
                        lines.add("- " + path);
                    }
                });
        ApiException.Cause first = causes.getFirst();
        String message = causes.size() == 1
                ? "Apply failed with 1 conflict: " + first.message() + ": " + first.field()
                : "Apply failed with " + causes.size() + " conflicts: " + String.join("\n", lines);
        return new ApiException(
                StatusReason.Conflict,
                StatusReason.Conflict.code(),
                message,
                new ApiException.Details("", "", "", causes, 0));
    }
}
