package io.atoll.scheduler.core.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with declared queues, and keeps those that can be used, repaired where that is safe. Stateless. */
final class QueueCheck {
    private static final String[] RESOURCE_FIELDS = {"gpu", "cpu", "memory"};

    private QueueCheck() {}

    /** The usable ones, in the given order; what is wrong with any goes to {@code problems}. */
    static List<QueueSpec> sound(List<QueueSpec> specs, List<QueueProblem> problems) {
        Map<String, QueueSpec> byName = new HashMap<>();
        List<QueueSpec> named = new ArrayList<>();
        for (QueueSpec spec : specs) {
            if (byName.putIfAbsent(spec.name(), spec) == null) {
                named.add(spec);
            } else {
                problems.add(problem(
                        spec,
                        QueueProblem.Kind.DUPLICATE_NAME,
                        "metadata.name",
                        "is declared twice; the older one counts, rename the other"));
            }
        }
        Map<String, QueueProblem.Kind> broken = new HashMap<>();
        List<QueueSpec> sound = new ArrayList<>();
        for (QueueSpec spec : named) {
            QueueProblem.Kind kind = wayUp(spec, byName, broken);
            if (kind == null) {
                sound.add(repaired(spec, problems));
            } else {
                problems.add(brokenWay(spec, kind));
            }
        }
        problems.sort(Comparator.comparing(QueueProblem::queue)
                .thenComparing(QueueProblem::field)
                .thenComparing(QueueProblem::message));
        return sound;
    }

    /** What keeps the queue from reaching the top, or null. Each queue is walked once over all calls. */
    private static QueueProblem.@Nullable Kind wayUp(
            QueueSpec spec, Map<String, QueueSpec> byName, Map<String, QueueProblem.Kind> broken) {
        List<QueueSpec> way = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        QueueSpec at = spec;
        while (true) {
            if (broken.containsKey(at.name())) {
                way.forEach(queue -> broken.putIfAbsent(queue.name(), QueueProblem.Kind.ANCESTOR_UNUSABLE));
                return broken.get(spec.name());
            }
            way.add(at);
            seen.add(at.name());
            String parent = at.parent();
            if (parent == null) {
                return null;
            }
            QueueSpec above = byName.get(parent);
            if (above == null) {
                broken.put(at.name(), QueueProblem.Kind.PARENT_MISSING);
            } else if (seen.contains(parent)) {
                for (int i = way.indexOf(above); i < way.size(); i++) {
                    broken.put(way.get(i).name(), QueueProblem.Kind.PARENT_CYCLE);
                }
            } else {
                at = above;
            }
        }
    }

    private static QueueProblem brokenWay(QueueSpec spec, QueueProblem.Kind kind) {
        String field = "spec.parentQueue";
        String said = "has " + field + " " + spec.parent();
        return problem(
                spec,
                kind,
                field,
                switch (kind) {
                    case PARENT_MISSING ->
                        said
                                + ", which does not exist; its jobs wait until that queue is created or the field names another";
                    case PARENT_CYCLE ->
                        said + ", which leads back to itself; clear the field of one queue of the circle";
                    case ANCESTOR_UNUSABLE -> said + ", which cannot be used itself; mend that queue or name another";
                    case DUPLICATE_NAME, NEGATIVE_VALUE, QUOTA_ABOVE_LIMIT ->
                        throw new IllegalArgumentException(kind.name());
                });
    }

    /** The queue with negative values read as zero. */
    private static QueueSpec repaired(QueueSpec spec, List<QueueProblem> problems) {
        ResourceVector quota = spec.quota().copy();
        ResourceVector limit = spec.limit().copy();
        ResourceVector weight = spec.overQuotaWeight().copy();
        for (int resource = 0; resource < ResourceVector.COUNT; resource++) {
            String field = "spec.resources." + RESOURCE_FIELDS[resource] + ".";
            if (negative(spec, field + "quota", resource, quota.get(resource), problems)) {
                quota.set(resource, 0);
            }
            if (negative(spec, field + "limit", resource, limit.get(resource), problems)) {
                limit.set(resource, 0);
            }
            if (weight.get(resource) < 0) {
                problems.add(problem(
                        spec,
                        QueueProblem.Kind.NEGATIVE_VALUE,
                        field + "overQuotaWeight",
                        "has " + field + "overQuotaWeight "
                                + (double) weight.get(resource) / QueueSpec.WEIGHT_ONE
                                + ", which counts as 0; use 0 or more"));
                weight.set(resource, 0);
            }
            long guaranteed = quota.get(resource);
            long most = limit.get(resource);
            if (guaranteed != ResourceVector.UNLIMITED && !ResourceVector.lessOrEqual(guaranteed, most)) {
                problems.add(problem(
                        spec,
                        QueueProblem.Kind.QUOTA_ABOVE_LIMIT,
                        field + "quota",
                        "has " + field + "quota " + ResourceText.amount(resource, guaranteed) + " above its limit of "
                                + ResourceText.amount(resource, most) + "; raise the limit or lower the quota"));
            }
        }
        return spec.toBuilder()
                .quota(quota)
                .limit(limit)
                .overQuotaWeight(weight)
                .preemptMinRuntimeMillis(
                        notNegative(spec, "spec.preemptMinRuntime", spec.preemptMinRuntimeMillis(), problems))
                .reclaimMinRuntimeMillis(
                        notNegative(spec, "spec.reclaimMinRuntime", spec.reclaimMinRuntimeMillis(), problems))
                .build();
    }

    private static boolean negative(
            QueueSpec spec, String field, int resource, long value, List<QueueProblem> problems) {
        if (value >= 0 || value == ResourceVector.UNLIMITED) {
            return false;
        }
        problems.add(problem(
                spec,
                QueueProblem.Kind.NEGATIVE_VALUE,
                field,
                "has " + field + " " + ResourceText.amount(resource, value)
                        + ", which counts as 0; use 0 or more, or -1 for unlimited"));
        return true;
    }

    private static @Nullable Long notNegative(
            QueueSpec spec, String field, @Nullable Long millis, List<QueueProblem> problems) {
        if (millis == null || millis >= 0) {
            return millis;
        }
        problems.add(problem(
                spec,
                QueueProblem.Kind.NEGATIVE_VALUE,
                field,
                "has " + field + " " + millis + " ms, which counts as 0; use 0 or more"));
        return 0L;
    }

    private static QueueProblem problem(QueueSpec spec, QueueProblem.Kind kind, String field, String said) {
        return new QueueProblem(spec.name(), kind, field, "queue " + spec.name() + " " + said);
    }
}
