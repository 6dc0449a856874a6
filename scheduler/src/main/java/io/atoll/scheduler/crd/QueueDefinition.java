package io.atoll.scheduler.crd;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A Queue as its object says it, in the scheduler's units. Immutable.
 *
 * @param name its identity
 * @param displayName what messages call it; the name when it has none
 * @param parent empty for a top-level queue
 * @param nodePool empty for the default one
 * @param priority 100 when unset
 * @param gpu in millionths of a device
 * @param cpu in thousandths of a core
 * @param memory in bytes
 */
public record QueueDefinition(
        String name,
        String displayName,
        String uid,
        Instant created,
        String parent,
        String nodePool,
        int priority,
        Share gpu,
        Share cpu,
        Share memory,
        Optional<Duration> preemptMinRuntime,
        Optional<Duration> reclaimMinRuntime) {
    /** Of a quota: everything there is. Of a limit: none. */
    public static final long UNLIMITED = -1;

    public static final int DEFAULT_PRIORITY = 100;

    /**
     * What a queue is entitled to of one resource.
     *
     * @param quota guaranteed, or {@link #UNLIMITED}
     * @param limit never exceeded, or {@link #UNLIMITED}
     * @param weight the part of what is left over, as against the queue's siblings; not negative
     */
    public record Share(long quota, long limit, double weight) {
        /** Of a resource that the object does not speak of: nothing guaranteed, nothing forbidden. */
        public static final Share UNSET = new Share(0, UNLIMITED, 1);
    }
}
