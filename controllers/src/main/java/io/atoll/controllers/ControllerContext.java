package io.atoll.controllers;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.reconcile.EventRecorder;
import java.time.temporal.ChronoUnit;

/** What the controllers of one cluster share. Immutable; any thread. */
record ControllerContext(Client client, ObjectCache cache, Timers timers, SharedIndexes indexes) {
    EventRecorder events(String component) {
        return new EventRecorder(client, component, timers);
    }

    /** The time as Kubernetes writes it into objects. */
    String now() {
        return timers.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
