package io.atoll.controllers;

import io.atoll.base.Backoff;
import io.atoll.reconcile.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** How long Jobs wait before they replace failed pods: longer with each failure since the last success. Any thread. */
final class JobBackoff {
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(10));

    private record Failures(int count, Instant last) {}

    private final Map<ObjectKey, Failures> failures = new ConcurrentHashMap<>();

    void observe(ObjectKey job, JobTally tally, Instant now) {
        if (tally.newSuccess) {
            failures.remove(job);
        }
        for (ObjectNode pod : tally.newFailures) {
            Instant ended = ended(pod, now);
            failures.merge(
                    job,
                    new Failures(1, ended),
                    (known, one) ->
                            new Failures(known.count + 1, known.last.isAfter(one.last) ? known.last : one.last));
        }
    }

    /** Zero or less when pods may be created now. */
    Duration remaining(ObjectKey job, Instant now) {
        Failures known = failures.get(job);
        if (known == null) {
            return Duration.ZERO;
        }
        return BACKOFF.after(known.count).minus(Duration.between(known.last, now));
    }

    void forget(ObjectKey job) {
        failures.remove(job);
    }

    private static Instant ended(ObjectNode pod, Instant now) {
        Instant latest = Instant.EPOCH;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            Instant finished =
                    Pods.time(container.path("state").path("terminated").path("finishedAt"));
            latest = finished.isAfter(latest) ? finished : latest;
        }
        return latest.equals(Instant.EPOCH) || latest.isAfter(now) ? now : latest;
    }
}
