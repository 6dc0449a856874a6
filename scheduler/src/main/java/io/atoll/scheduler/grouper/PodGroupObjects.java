package io.atoll.scheduler.grouper;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.Preemptibility;
import io.atoll.scheduler.crd.SchedulingKeys;
import io.atoll.scheduler.crd.SchedulingTypes;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** PodGroups as the grouper writes them. Stateless. */
final class PodGroupObjects {
    private PodGroupObjects() {}

    /** Whether a grouper made it; others are their users' and never changed. */
    static boolean isGrouped(JsonNode group) {
        return !Metadata.annotation(group, SchedulingKeys.TOP_OWNER).isEmpty();
    }

    static ObjectNode create(Grouping grouping) {
        ObjectNode group = Json.object();
        group.put("apiVersion", SchedulingTypes.POD_GROUPS.apiVersion()).put("kind", SchedulingTypes.POD_GROUPS.kind());
        Metadata.setName(group, grouping.name());
        Metadata.setNamespace(group, grouping.namespace());
        Metadata.setLabel(group, SchedulingKeys.QUEUE, grouping.queue());
        if (!grouping.nodePool().isEmpty()) {
            Metadata.setLabel(group, SchedulingKeys.NODE_POOL, grouping.nodePool());
        }
        Json.child(group, "spec").put("queue", grouping.queue());
        fill(group, grouping);
        return group;
    }

    /**
     * What an existing group is to become; empty when it is as it should be. Its queue, node pool and what says how it
     * is tried stay: they may have been changed by hand.
     */
    static Optional<ObjectNode> update(ObjectNode existing, Grouping grouping) {
        ObjectNode group = existing.deepCopy();
        fill(group, grouping);
        return Json.same(group, existing) ? Optional.empty() : Optional.of(group);
    }

    private static void fill(ObjectNode group, Grouping grouping) {
        Metadata.setOwnerReferences(group, List.of(grouping.owner()));
        Metadata.setAnnotation(group, SchedulingKeys.TOP_OWNER, topOwner(grouping.topOwner()));
        if (!grouping.user().isEmpty()) {
            Metadata.setAnnotation(group, SchedulingKeys.USER, grouping.user());
        }
        ObjectNode spec = Json.child(group, "spec");
        spec.put("minMember", grouping.minMember());
        spec.put("priorityClassName", grouping.priorityClass());
        grouping.preemptibility()
                .map(Preemptibility::text)
                .ifPresentOrElse(text -> spec.put("preemptibility", text), () -> spec.remove("preemptibility"));
        grouping.topology()
                .ifPresentOrElse(
                        constraint -> spec.set("topologyConstraint", constraint.toTree()),
                        () -> spec.remove("topologyConstraint"));
        if (grouping.subGroups().isEmpty()) {
            spec.remove("subGroups");
        } else {
            ArrayNode parts = spec.putArray("subGroups");
            grouping.subGroups().forEach(part -> parts.add(part.toTree()));
        }
    }

    /** YAML, as KAI writes it. */
    private static String topOwner(Owner owner) {
        return "name: " + owner.name() + "\nuid: " + owner.uid() + "\ngroup: "
                + (owner.kind().group().isEmpty() ? "\"\"" : owner.kind().group()) + "\nversion: "
                + owner.kind().version() + "\nkind: " + owner.kind().kind() + "\n";
    }

    /** What is to change on a pod for it to be in its group; empty when it is. */
    static Optional<ObjectNode> podPatch(ObjectNode pod, Grouping grouping) {
        ObjectNode patch = Json.object();
        if (!Metadata.annotation(pod, SchedulingKeys.POD_GROUP).equals(grouping.name())) {
            Metadata.setAnnotation(patch, SchedulingKeys.POD_GROUP, grouping.name());
        }
        if (!Metadata.label(pod, SchedulingKeys.SUB_GROUP).equals(grouping.subGroup())) {
            ObjectNode labels = Json.child(Metadata.of(patch), "labels");
            if (grouping.subGroup().isEmpty()) {
                labels.putNull(SchedulingKeys.SUB_GROUP);
            } else {
                labels.put(SchedulingKeys.SUB_GROUP, grouping.subGroup());
            }
        }
        return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
    }
}
