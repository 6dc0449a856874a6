package io.atoll.scheduler.crd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What sub-groups must be to form a tree. Stateless. */
public final class SubGroups {
    private SubGroups() {}

    /** What is wrong with one sub-group. */
    public sealed interface Mistake {
        /** Its place in the list. */
        int index();

        /** A sub-group before it has the same name. */
        record Repeated(int index, String name) implements Mistake {}

        record ParentMissing(int index, String name, String parent) implements Mistake {}

        /** It is above itself. */
        record Cycle(int index, String name) implements Mistake {}
    }

    public static boolean valid(List<SubGroupSpec> subGroups) {
        return check(subGroups).isEmpty();
    }

    /** Every mistake in a PodGroup's {@code spec.subGroups}. */
    public static List<Mistake> check(JsonNode subGroups) {
        return check(PodGroupReader.subGroups(subGroups));
    }

    /** Every mistake, in the list's order; of cycles, looked for once names and parents are right, the first. */
    public static List<Mistake> check(List<SubGroupSpec> subGroups) {
        List<Mistake> mistakes = new ArrayList<>();
        Map<String, String> parents = new HashMap<>();
        subGroups.forEach(part -> parents.putIfAbsent(part.name(), part.parent()));
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < subGroups.size(); i++) {
            SubGroupSpec part = subGroups.get(i);
            if (!seen.add(part.name())) {
                mistakes.add(new Mistake.Repeated(i, part.name()));
            }
            if (!part.parent().isEmpty() && !parents.containsKey(part.parent())) {
                mistakes.add(new Mistake.ParentMissing(i, part.name(), part.parent()));
            }
        }
        for (int i = 0; i < subGroups.size() && mistakes.isEmpty(); i++) {
            if (aboveItself(subGroups.get(i).name(), parents)) {
                mistakes.add(new Mistake.Cycle(i, subGroups.get(i).name()));
            }
        }
        return mistakes;
    }

    private static boolean aboveItself(String name, Map<String, String> parents) {
        String at = parents.getOrDefault(name, "");
        for (int steps = 0; !at.isEmpty() && steps < parents.size(); steps++) {
            if (at.equals(name)) {
                return true;
            }
            at = parents.getOrDefault(at, "");
        }
        return false;
    }
}
