package io.atoll.scheduler.core;

/** A taint of a node. */
public record Taint(String key, String value, Effect effect) {
    /** What a taint does to pods that do not tolerate it. */
    public enum Effect {
        NO_SCHEDULE,
        NO_EXECUTE,
        PREFER_NO_SCHEDULE
    }

    /** Whether it keeps pods that do not tolerate it off the node. */
    public boolean repels() {
        return effect != Effect.PREFER_NO_SCHEDULE;
    }
}
