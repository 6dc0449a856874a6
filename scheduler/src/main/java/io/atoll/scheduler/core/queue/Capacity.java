package io.atoll.scheduler.core.queue;

import java.util.Optional;

/** Whether a queue and all above it may hold that much more. Stateless; allocates only to say no. */
public final class Capacity {
    private Capacity() {}

    /**
     * Limits bind every job, quotas those that cannot be evicted. Resources that are not asked for are not looked at.
     *
     * @return empty if it may, otherwise the first bound in the way: limits before quotas, from the leaf upward
     */
    public static Optional<Denial> check(Queue leaf, ResourceVector requested, boolean preemptible) {
        for (Queue queue = leaf; queue != null; queue = queue.parent()) {
            int resource = beyond(queue.allocated(), requested, queue.spec().limit());
            if (resource >= 0) {
                return Optional.of(
                        denial(queue, resource, Denial.Kind.LIMIT, queue.spec().limit(), queue.allocated(), requested));
            }
        }
        for (Queue queue = leaf; queue != null && !preemptible; queue = queue.parent()) {
            int resource = beyond(
                    queue.allocatedNonPreemptible(), requested, queue.spec().quota());
            if (resource >= 0) {
                return Optional.of(denial(
                        queue,
                        resource,
                        Denial.Kind.QUOTA_NON_PREEMPTIBLE,
                        queue.spec().quota(),
                        queue.allocatedNonPreemptible(),
                        requested));
            }
        }
        return Optional.empty();
    }

    /** The first requested resource that would pass its bound, or -1. */
    private static int beyond(ResourceVector used, ResourceVector requested, ResourceVector bound) {
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            long more = requested.get(resource);
            if (more > 0 && !ResourceVector.lessOrEqual(used.get(resource) + more, bound.get(resource))) {
                return resource;
            }
        }
        return -1;
    }

    private static Denial denial(
            Queue queue,
            int resource,
            Denial.Kind kind,
            ResourceVector bound,
            ResourceVector used,
            ResourceVector requested) {
        return new Denial(queue, resource, kind, bound.get(resource), used.get(resource), requested.get(resource));
    }
}
