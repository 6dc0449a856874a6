package io.atoll.apiserver.verb;

import io.atoll.model.ApiException;

/** What becomes of unknown and duplicate fields in a body. */
enum FieldValidation {
    IGNORE,
    WARN,
    STRICT;

    static FieldValidation of(String text) {
        return switch (text) {
            case "", "Warn" -> WARN;
            case "Ignore" -> IGNORE;
            case "Strict" -> STRICT;
            default ->
                throw ApiException.badRequest("invalid fieldValidation parameter \"" + text
                        + "\": supported values: \"Ignore\", \"Warn\", \"Strict\"");
        };
    }
}
