package io.atoll.apiserver.registry;

import io.atoll.apiserver.watch.CachedObject;
import io.atoll.base.Timers;
import io.atoll.model.GroupResource;
import io.atoll.model.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Forgets Events an hour after they were last written, as Kubernetes' lease on them does. Asleep while there are none.
 * Guarded by itself.
 */
public final class EventExpiry {
    static final Duration EVENT_LIFETIME = Duration.ofHours(1);

    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(10);
    private static final GroupResource EVENTS = new GroupResource("", "events");

    private final Registry registry;
    private Timers.@Nullable Pending sweep;

    EventExpiry(Registry registry) {
        this.registry = registry;
    }

    /** Called when an Event has been written. */
    public synchronized void written() {
        if (sweep == null) {
            sweep = registry.timers().after(SWEEP_INTERVAL, this::sweep);
        }
    }

    /** Stops; for a cluster that closes. */
    public synchronized void close() {
        if (sweep != null) {
            sweep.cancel();
        }
    }

    private void sweep() {
        synchronized (this) {
            sweep = null;
        }
        Instant oldest = registry.timers().instant().minus(EVENT_LIFETIME);
        boolean left = false;
        for (CachedObject event : registry.list(EVENTS, "")) {
            if (lastWritten(event.tree()).isBefore(oldest)) {
                registry.endpoints().endpoint(EVENTS).ifPresent(endpoint -> registry.commitDelete(endpoint, event));
            } else {
                left = true;
            }
        }
        if (left) {
            written();
        }
    }

    private static Instant lastWritten(ObjectNode event) {
        String last = event.path("lastTimestamp").asString("");
        try {
            return Instant.parse(last.isEmpty() ? Metadata.creationTimestamp(event) : last);
        } catch (DateTimeParseException _) {
            return Instant.EPOCH;
        }
    }
}
