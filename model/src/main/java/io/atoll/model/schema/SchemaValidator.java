package io.atoll.model.schema;

import io.atoll.model.ApiException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Checks objects against schemas, with Kubernetes' messages. */
public final class SchemaValidator {
    private SchemaValidator() {}

    /** Every mistake of a custom resource, for a 422. */
    public static List<ApiException.Cause> validate(Schema schema, JsonNode tree) {
        FieldErrors errors = new FieldErrors();
        new ValueCheck(errors).check(schema, tree, "");
        new ListCheck(errors).check(schema, tree, "");
        return List.copyOf(errors.causes());
    }

    /**
     * The first field of a built-in type whose JSON type is wrong, as Go's decoder says it: for a 400. Empty when all
     * fit. Of a custom resource it checks the metadata.
     */
    public static Optional<String> typeMismatch(Schema schema, JsonNode tree) {
        return Optional.ofNullable(new GoTypes().mismatch(schema, tree));
    }
}
