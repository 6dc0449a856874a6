package io.atoll.model.schema;

import tools.jackson.databind.JsonNode;

/** Fills absent fields with their schema's defaults, in place. */
public final class Defaults {
    private Defaults() {}

    /** Applies defaults to an object and all that it holds; drops nulls where null means absent. */
    public static void apply(Schema schema, JsonNode tree) {}
}
