package io.atoll.model.schema;

import io.atoll.model.ApiException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the {@code openAPIV3Schema} of a CustomResourceDefinition and applies the rules of structural schemas. */
public final class StructuralSchema {
    private StructuralSchema() {}

    /**
     * What was read.
     *
     * @param schema null when it could not be read at all
     * @param errors mistakes that make a CustomResourceDefinition invalid, fields below the given path
     * @param nonStructural violations for the {@code NonStructuralSchema} condition
     */
    public record Parsed(
            @Nullable Schema schema, List<ApiException.Cause> errors, List<ApiException.Cause> nonStructural) {
        public Parsed {
            errors = List.copyOf(errors);
            nonStructural = List.copyOf(nonStructural);
        }
    }

    /** Reads a schema known to be good; mistakes are ignored. */
    public static Schema parse(JsonNode openApiV3Schema) {
        return Schema.builder(Schema.Type.ANY).build();
    }

    /**
     * Reads a schema and lists its mistakes.
     *
     * @param path where the schema stands, e.g. {@code spec.versions[0].schema.openAPIV3Schema}
     */
    public static Parsed check(JsonNode openApiV3Schema, String path) {
        return new Parsed(parse(openApiV3Schema), List.of(), List.of());
    }
}
