package io.atoll.scheduler.admission;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.scheduler.crd.GoDuration;
import io.atoll.scheduler.crd.SchedulingTypes;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Queues. KAI asks for {@code spec.resources} alone; values that mean nothing and queues that are parts of themselves
 * are refused here, for a queue that is dropped later takes its workloads with it. A parent may come after its children.
 * Stateless.
 */
public final class QueueAdmission {
    private static final BigDecimal UNLIMITED = BigDecimal.ONE.negate();

    private QueueAdmission() {}

    /**
     * @param before null for a new queue
     * @param parentOf the parent that a stored queue names; empty when it names none or is not there
     * @throws ApiException 403 without resources, 422 for values
     */
    public static void validate(
            ObjectNode queue, @Nullable ObjectNode before, Function<String, Optional<String>> parentOf) {
        JsonNode spec = queue.path("spec");
        if (before != null && Json.same(spec, before.path("spec"))) {
            return;
        }
        String name = Metadata.name(queue);
        if (!spec.path("resources").isObject()) {
            throw ApiException.forbidden(
                    SchedulingTypes.QUEUES.groupResource(),
                    name,
                    "spec.resources is missing: say what the queue may use, \"resources: {}\" for all of what is left"
                            + " over");
        }
        FieldMistakes mistakes = new FieldMistakes();
        for (String resource : List.of("gpu", "cpu", "memory")) {
            JsonNode share = spec.path("resources").path(resource);
            String path = "spec.resources." + resource;
            amount(share.path("quota"), path + ".quota", mistakes);
            amount(share.path("limit"), path + ".limit", mistakes);
            JsonNode weight = share.path("overQuotaWeight");
            if (weight.isNumber() && weight.decimalValue().signum() < 0) {
                mistakes.invalid(path + ".overQuotaWeight", weight, "must not be negative");
            }
        }
        duration(spec, "preemptMinRuntime", mistakes);
        duration(spec, "reclaimMinRuntime", mistakes);
        String parent = spec.path("parentQueue").asString("");
        if (above(name, parent, parentOf)) {
            mistakes.invalid("spec.parentQueue", spec.path("parentQueue"), "the queue would be a part of itself");
        }
        mistakes.throwIfAny(SchedulingTypes.QUEUES, name);
    }

    private static void amount(JsonNode value, String path, FieldMistakes mistakes) {
        if (value.isNumber()
                && value.decimalValue().signum() < 0
                && value.decimalValue().compareTo(UNLIMITED) != 0) {
            mistakes.invalid(path, value, "must not be negative, but for -1: unlimited");
        }
    }

    private static void duration(JsonNode spec, String field, FieldMistakes mistakes) {
        JsonNode value = spec.path(field);
        if (value.isString()
                && GoDuration.parse(value.asString())
                        .filter(duration -> !duration.isNegative())
                        .isEmpty()) {
            mistakes.invalid("spec." + field, value, "must be a duration such as 90s, 5m or 1h30m");
        }
    }

    /** Whether a queue is found by going up from a parent. */
    private static boolean above(String name, String parent, Function<String, Optional<String>> parentOf) {
        Set<String> seen = new HashSet<>();
        String at = parent;
        while (!at.isEmpty() && seen.add(at)) {
            if (at.equals(name)) {
                return true;
            }
            at = parentOf.apply(at).orElse("");
        }
        return false;
    }
}
