package io.atoll.scheduler.admission;

import io.atoll.model.ApiException;
import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.SchedulingTypes;
import io.atoll.scheduler.crd.SubGroups;
import io.atoll.scheduler.crd.SubGroups.Mistake;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** PodGroups: their sub-groups form a tree. Stateless. */
public final class PodGroupAdmission {
    private PodGroupAdmission() {}

    /** @throws ApiException 403 with the first mistake */
    public static void validate(ObjectNode group) {
        List<Mistake> mistakes = SubGroups.check(group.path("spec").path("subGroups"));
        if (!mistakes.isEmpty()) {
            throw ApiException.forbidden(
                    SchedulingTypes.POD_GROUPS.groupResource(), Metadata.name(group), words(mistakes.getFirst()));
        }
    }

    private static String words(Mistake mistake) {
        String path = "spec.subGroups[" + mistake.index() + "]: ";
        return switch (mistake) {
            case Mistake.Repeated(int _, String name) -> path + "there is another sub-group named \"" + name + "\"";
            case Mistake.ParentMissing(int _, String name, String parent) ->
                path + "the parent of \"" + name + "\" is no sub-group: \"" + parent + "\"";
            case Mistake.Cycle(int _, String name) -> path + "\"" + name + "\" is a part of itself";
        };
    }
}
