package io.atoll.scheduler.crd;

import java.util.Optional;

/** Whether running pods may be evicted for others. */
public enum Preemptibility {
    PREEMPTIBLE("preemptible"),
    NON_PREEMPTIBLE("non-preemptible");

    /** A group that says nothing may be evicted when its priority is below this. */
    public static final int NON_PREEMPTIBLE_PRIORITY_MIN = 100;

    private final String text;

    Preemptibility(String text) {
        this.text = text;
    }

    /** What objects and labels say. */
    public String text() {
        return text;
    }

    /** Empty for anything else. */
    public static Optional<Preemptibility> of(String text) {
        for (Preemptibility value : values()) {
            if (value.text.equals(text)) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    public static Preemptibility ofPriority(int priority) {
        return priority < NON_PREEMPTIBLE_PRIORITY_MIN ? PREEMPTIBLE : NON_PREEMPTIBLE;
    }
}
