package io.atoll.scheduler.admission;

import io.atoll.model.ApiException;
import io.atoll.model.ApiException.Cause;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Mistakes in fields of one object, worded as Kubernetes words them. For one check. */
final class FieldMistakes {
    private final List<Cause> causes = new ArrayList<>();

    void invalid(String field, JsonNode value, String why) {
        causes.add(new Cause("FieldValueInvalid", "Invalid value: " + Json.encodeToString(value) + ": " + why, field));
    }

    void duplicate(String field, JsonNode value) {
        causes.add(new Cause("FieldValueDuplicate", "Duplicate value: " + Json.encodeToString(value), field));
    }

    /** @throws ApiException 422 with all of them, if there are any */
    void throwIfAny(ResourceType type, String name) {
        if (!causes.isEmpty()) {
            throw ApiException.invalid(type.groupVersionKind(), name, causes);
        }
    }
}
