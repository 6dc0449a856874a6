package io.atoll.scheduler.grouper;

import tools.jackson.databind.JsonNode;

/** Reads numbers of pods. Stateless. */
final class Counts {
    private Counts() {}

    /** A whole number of at least 1. */
    static int positive(String text, String of) {
        try {
            int value = Integer.parseInt(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new GroupingException(of + " must be a positive whole number, not \"" + text + "\"");
    }

    /** A number that is there and above zero, or another. */
    static int orElse(JsonNode number, int other) {
        return number.isNumber() && number.asInt(0) > 0 ? number.asInt(0) : other;
    }

    /** How many pods of a batch Job run at once; no bound for other kinds. */
    static int pods(Owner owner) {
        return owner.is("batch", "Job") ? parallel(owner.spec()) : Integer.MAX_VALUE;
    }

    /** How many pods a Job's spec runs at once. */
    static int parallel(JsonNode jobSpec) {
        int parallelism = jobSpec.path("parallelism").asInt(1);
        JsonNode completions = jobSpec.path("completions");
        return completions.isNumber() ? Math.min(parallelism, completions.asInt(1)) : parallelism;
    }
}
