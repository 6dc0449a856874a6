package io.atoll.scheduler.grouper;

import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.Preemptibility;
import io.atoll.scheduler.crd.SchedulingKeys;
import io.atoll.scheduler.crd.TopologyConstraint;
import io.atoll.scheduler.grouper.GrouperOptions.KindDefault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Says of any pod which group it belongs to. Pure; any thread. */
public final class Grouper {
    private final GrouperOptions options;
    private final KindTable kinds;

    public Grouper(GrouperOptions options) {
        this.options = options;
        this.kinds = new KindTable(options.knativeGangs());
    }

    /**
     * The group of a pod.
     *
     * @param all the pod with all its owners
     * @throws GroupingException when it cannot be grouped as it is
     */
    public Grouping group(Workload all, Surroundings around) {
        Workload workload = KindTable.withoutSkipped(all);
        Gang gang = kinds.of(workload).gang(workload, around);
        Owner top = workload.top();
        Optional<KindDefault> kindDefault = kindDefault(top);
        return new Grouping(
                Metadata.namespace(workload.pod()),
                gang.name(),
                gang.owner().reference(),
                top,
                gang.minMember(),
                gang.subGroups(),
                gang.subGroup(),
                queue(all),
                priorityClass(all, kindDefault, gang.defaultClass(), around),
                preemptibility(all, kindDefault),
                gang.topology().or(() -> topology(workload)),
                all.nearestLabel(SchedulingKeys.NODE_POOL),
                all.nearestLabel(SchedulingKeys.USER));
    }

    /** The owner's queue before the pod's; then the project's; then the default one. */
    private String queue(Workload workload) {
        for (Owner owner : topDown(workload)) {
            String queue = owner.label(SchedulingKeys.QUEUE);
            if (!queue.isEmpty()) {
                return queue;
            }
        }
        for (Owner owner : topDown(workload)) {
            String project = owner.label(SchedulingKeys.PROJECT);
            if (!project.isEmpty()) {
                String nodePool = workload.nearestLabel(SchedulingKeys.NODE_POOL);
                return nodePool.isEmpty() ? project : project + "-" + nodePool;
            }
        }
        return options.defaultQueue();
    }

    private static List<Owner> topDown(Workload workload) {
        List<Owner> owners = new ArrayList<>(workload.owners().reversed());
        owners.add(workload.podItself());
        return owners;
    }

    private static String priorityClass(
            Workload workload, Optional<KindDefault> kindDefault, String last, Surroundings around) {
        String onPod = workload.pod().path("spec").path("priorityClassName").asString("");
        return Stream.of(
                        workload.owners().stream().map(owner -> owner.label(SchedulingKeys.PRIORITY_CLASS)),
                        Stream.of(workload.label(SchedulingKeys.PRIORITY_CLASS), onPod),
                        kindDefault.stream().map(KindDefault::priorityClass))
                .flatMap(names -> names)
                .filter(name -> !name.isEmpty() && around.priorityClassExists(name))
                .findFirst()
                .orElse(last);
    }

    private static Optional<Preemptibility> preemptibility(Workload workload, Optional<KindDefault> kindDefault) {
        return Stream.concat(workload.owners().stream(), Stream.of(workload.podItself()))
                .map(owner -> owner.label(SchedulingKeys.PREEMPTIBILITY))
                .flatMap(text -> Preemptibility.of(text).stream())
                .findFirst()
                .or(() -> kindDefault.flatMap(KindDefault::preemptibility));
    }

    private static Optional<TopologyConstraint> topology(Workload workload) {
        return topDown(workload).stream()
                .flatMap(owner -> OwnerAnnotations.topology(owner::annotation, "").stream())
                .findFirst();
    }

    private Optional<KindDefault> kindDefault(Owner top) {
        return options.kindDefaults().stream()
                .filter(each -> each.kind().equals(top.kind().kind())
                        && (each.group().isEmpty()
                                || each.group().equals(top.kind().group())))
                .findFirst();
    }
}
