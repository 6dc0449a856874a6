package io.atoll.scheduler.grouper;

/** How the pods of one kind of top owner are grouped. Stateless. */
@FunctionalInterface
interface KindRule {
    /** @throws GroupingException when the owner asks for nothing that can be scheduled */
    Gang gang(Workload workload, Surroundings around);
}
