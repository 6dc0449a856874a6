package io.atoll.scheduler.crd;

import io.atoll.model.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads PodGroups. Sub-groups that form no tree read as none: admission lets none in. Stateless. */
public final class PodGroupReader {
    private PodGroupReader() {}

    public static PodGroupSpec read(JsonNode group) {
        JsonNode spec = group.path("spec");
        List<SubGroupSpec> subGroups = subGroups(spec.path("subGroups"));
        return new PodGroupSpec(
                Metadata.namespace(group),
                Metadata.name(group),
                Metadata.uid(group),
                Times.created(group),
                spec.path("queue").asString(""),
                Math.max(1, spec.path("minMember").asInt(1)),
                minSubGroup(spec),
                spec.path("priorityClassName").asString(""),
                Preemptibility.of(spec.path("preemptibility").asString("")),
                Metadata.label(group, SchedulingKeys.NODE_POOL),
                spec.path("markUnschedulable").asBoolean(true),
                spec.path("schedulingBackoff").asInt(-1) == 1,
                TopologyConstraint.read(spec.path("topologyConstraint")),
                SubGroups.valid(subGroups) ? subGroups : List.of(),
                Times.parse(Metadata.annotation(group, SchedulingKeys.LAST_START)),
                Times.parse(Metadata.annotation(group, SchedulingKeys.STALE_SINCE)),
                GoDuration.parse(Metadata.annotation(group, SchedulingKeys.STALENESS_GRACE)));
    }

    static List<SubGroupSpec> subGroups(JsonNode parts) {
        List<SubGroupSpec> read = new ArrayList<>();
        for (JsonNode part : parts) {
            read.add(new SubGroupSpec(
                    part.path("name").asString(""),
                    Math.max(1, part.path("minMember").asInt(1)),
                    minSubGroup(part),
                    part.path("parent").asString(""),
                    TopologyConstraint.read(part.path("topologyConstraint"))));
        }
        return read;
    }

    private static Optional<Integer> minSubGroup(JsonNode holder) {
        JsonNode min = holder.path("minSubGroup");
        return min.isNumber() ? Optional.of(Math.max(1, min.asInt(1))) : Optional.empty();
    }
}
