package io.atoll.scheduler.crd;

import io.atoll.model.Metadata;
import io.atoll.scheduler.core.queue.QueueSpec;
import io.atoll.scheduler.core.queue.ResourceVector;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads Queues. A limit that is left out is no limit and a weight that is left out is one: in KAI both mean zero, and a
 * queue that forgets them runs nothing. Negative values are passed on for the queue tree to tell of. Stateless.
 */
public final class QueueReader {
    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private QueueReader() {}

    public static QueueSpec read(JsonNode queue) {
        JsonNode spec = queue.path("spec");
        String displayName = spec.path("displayName").asString("");
        String parent = spec.path("parentQueue").asString("");
        String name = Metadata.name(queue);
        JsonNode resources = spec.path("resources");
        return QueueSpec.named(name)
                .displayName(displayName.isEmpty() ? name : displayName)
                .parent(parent.isEmpty() ? null : parent)
                .priority(spec.path("priority").asInt(QueueSpec.DEFAULT_PRIORITY))
                .quota(amounts(resources, "quota", 0))
                .limit(amounts(resources, "limit", ResourceVector.UNLIMITED))
                .overQuotaWeight(new ResourceVector(
                        weight(resources.path("gpu")), weight(resources.path("cpu")), weight(resources.path("memory"))))
                .preemptMinRuntimeMillis(millis(spec.path("preemptMinRuntime")))
                .reclaimMinRuntimeMillis(millis(spec.path("reclaimMinRuntime")))
                .createdMillis(Times.created(queue).toEpochMilli())
                .build();
    }

    /** The node pool that a queue is for; empty for the default one. */
    public static String nodePool(JsonNode queue) {
        return Metadata.label(queue, SchedulingKeys.NODE_POOL);
    }

    private static ResourceVector amounts(JsonNode resources, String field, long unset) {
        return new ResourceVector(
                amount(resources.path("gpu").path(field), MILLION, unset),
                amount(resources.path("cpu").path(field), BigDecimal.ONE, unset),
                amount(resources.path("memory").path(field), MILLION, unset));
    }

    private static long amount(JsonNode value, BigDecimal unit, long unset) {
        if (!value.isNumber()) {
            return unset;
        }
        BigDecimal amount = value.decimalValue();
        if (amount.compareTo(BigDecimal.ONE.negate()) == 0) {
            return ResourceVector.UNLIMITED;
        }
        long scaled = scaled(amount, unit);
        return scaled == ResourceVector.UNLIMITED ? scaled - 1 : scaled;
    }

    private static long weight(JsonNode resource) {
        JsonNode weight = resource.path("overQuotaWeight");
        return weight.isNumber()
                ? scaled(weight.decimalValue(), BigDecimal.valueOf(QueueSpec.WEIGHT_ONE))
                : QueueSpec.WEIGHT_ONE;
    }

    private static long scaled(BigDecimal amount, BigDecimal unit) {
        return amount.multiply(unit)
                .setScale(0, RoundingMode.HALF_UP)
                .min(MAX)
                .max(MAX.negate())
                .longValueExact();
    }

    private static @Nullable Long millis(JsonNode value) {
        return GoDuration.parse(value.asString("")).map(Duration::toMillis).orElse(null);
    }
}
