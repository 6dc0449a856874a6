package io.atoll.model.schema;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The value keywords of a custom resource's schema: bounds, patterns, combinators. Built-in types carry none, their rules
 * are code. Immutable.
 *
 * @param pattern to be found in a string
 * @param celRules {@code x-kubernetes-validations} as written; empty when absent
 */
public record Validation(
        @Nullable BigDecimal minimum,
        @Nullable BigDecimal maximum,
        boolean exclusiveMinimum,
        boolean exclusiveMaximum,
        @Nullable BigDecimal multipleOf,
        @Nullable Long minLength,
        @Nullable Long maxLength,
        @Nullable GoPattern pattern,
        @Nullable Long minItems,
        @Nullable Long maxItems,
        boolean uniqueItems,
        @Nullable Long minProperties,
        @Nullable Long maxProperties,
        List<Schema> allOf,
        List<Schema> anyOf,
        List<Schema> oneOf,
        @Nullable Schema not,
        List<JsonNode> celRules) {

    /** No keyword at all. */
    public static final Validation NONE = new Validation(
            null, null, false, false, null, null, null, null, null, null, false, null, null, List.of(), List.of(),
            List.of(), null, List.of());

    public Validation {
        allOf = List.copyOf(allOf);
        anyOf = List.copyOf(anyOf);
        oneOf = List.copyOf(oneOf);
        celRules = List.copyOf(celRules);
    }

    /** These keywords with another allOf. */
    Validation withAllOf(List<Schema> schemas) {
        return new Validation(
                minimum,
                maximum,
                exclusiveMinimum,
                exclusiveMaximum,
                multipleOf,
                minLength,
                maxLength,
                pattern,
                minItems,
                maxItems,
                uniqueItems,
                minProperties,
                maxProperties,
                schemas,
                anyOf,
                oneOf,
                not,
                celRules);
    }
}
