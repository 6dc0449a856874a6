package io.atoll.scheduler.core.queue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a queue's owner declares. Quotas and limits are in the units of {@link ResourceVector}, weights in millionths
 * ({@link #WEIGHT_ONE} is 1), times in milliseconds. What is not said is: priority 100, nothing guaranteed, no limit,
 * weight 1. Vectors are copied in; do not change them afterwards.
 *
 * @param name identity, unique in a tree
 * @param displayName what messages call the queue
 * @param parent the queue above, null for a top-level queue
 * @param priority higher takes over-quota shares first and is ordered first
 * @param preemptMinRuntimeMillis how long its jobs run before others of the queue may preempt them; null to inherit
 * @param reclaimMinRuntimeMillis how long its jobs run before other queues may reclaim from them; null to inherit
 * @param createdMillis older queues win ties
 */
public record QueueSpec(
        String name,
        String displayName,
        @Nullable String parent,
        int priority,
        ResourceVector quota,
        ResourceVector limit,
        ResourceVector overQuotaWeight,
        @Nullable Long preemptMinRuntimeMillis,
        @Nullable Long reclaimMinRuntimeMillis,
        long createdMillis) {

    public static final int DEFAULT_PRIORITY = 100;
    public static final long WEIGHT_ONE = 1_000_000;

    public QueueSpec {
        Objects.requireNonNull(name, "name");
        quota = quota.copy();
        limit = limit.copy();
        overQuotaWeight = overQuotaWeight.copy();
    }

    /** A top-level queue that may use everything and is guaranteed everything. */
    public static QueueSpec unlimited(String name) {
        return named(name).quota(ResourceVector.all(ResourceVector.UNLIMITED)).build();
    }

    /** Starts a description with all defaults. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Starts a description with this one's values. */
    public Builder toBuilder() {
        Builder builder = new Builder(name);
        builder.displayName = displayName;
        builder.parent = parent;
        builder.priority = priority;
        builder.quota = quota;
        builder.limit = limit;
        builder.overQuotaWeight = overQuotaWeight;
        builder.preemptMinRuntimeMillis = preemptMinRuntimeMillis;
        builder.reclaimMinRuntimeMillis = reclaimMinRuntimeMillis;
        builder.createdMillis = createdMillis;
        return builder;
    }

    /** Collects what is said about a queue; the rest keeps its default. */
    public static final class Builder {
        private final String name;
        private String displayName;
        private @Nullable String parent;
        private int priority = DEFAULT_PRIORITY;
        private ResourceVector quota = new ResourceVector();
        private ResourceVector limit = ResourceVector.all(ResourceVector.UNLIMITED);
        private ResourceVector overQuotaWeight = ResourceVector.all(WEIGHT_ONE);
        private @Nullable Long preemptMinRuntimeMillis;
        private @Nullable Long reclaimMinRuntimeMillis;
        private long createdMillis;

        private Builder(String name) {
            this.name = name;
            this.displayName = name;
        }

        public Builder displayName(String value) {
            displayName = value;
            return this;
        }

        public Builder parent(@Nullable String value) {
            parent = value;
            return this;
        }

        public Builder priority(int value) {
            priority = value;
            return this;
        }

        public Builder quota(ResourceVector value) {
            quota = value;
            return this;
        }

        public Builder limit(ResourceVector value) {
            limit = value;
            return this;
        }

        /** In millionths: {@link #WEIGHT_ONE} is a weight of 1. */
        public Builder overQuotaWeight(ResourceVector value) {
            overQuotaWeight = value;
            return this;
        }

        public Builder preemptMinRuntimeMillis(@Nullable Long value) {
            preemptMinRuntimeMillis = value;
            return this;
        }

        public Builder reclaimMinRuntimeMillis(@Nullable Long value) {
            reclaimMinRuntimeMillis = value;
            return this;
        }

        public Builder createdMillis(long value) {
            createdMillis = value;
            return this;
        }

        public QueueSpec build() {
            return new QueueSpec(
                    name,
                    displayName,
                    parent,
                    priority,
                    quota,
                    limit,
                    overQuotaWeight,
                    preemptMinRuntimeMillis,
                    reclaimMinRuntimeMillis,
                    createdMillis);
        }
    }
}
