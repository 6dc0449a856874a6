package io.atoll.scheduler.crd;

import io.atoll.model.Metadata;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Reads Queues. A limit that is left out is no limit and a weight that is left out is one: in KAI both mean zero, and a
 * queue that forgets them runs nothing. What is no valid value reads as if it were left out; admission lets none in.
 * Stateless.
 */
public final class QueueReader {
    private static final BigDecimal MICRO_GPUS = BigDecimal.valueOf(1_000_000);
    private static final BigDecimal MEGABYTE = BigDecimal.valueOf(1_000_000);
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private QueueReader() {}

    public static QueueDefinition read(JsonNode queue) {
        JsonNode spec = queue.path("spec");
        String name = Metadata.name(queue);
        String displayName = spec.path("displayName").asString("");
        JsonNode resources = spec.path("resources");
        return new QueueDefinition(
                name,
                displayName.isEmpty() ? name : displayName,
                Metadata.uid(queue),
                Times.created(queue),
                spec.path("parentQueue").asString(""),
                Metadata.label(queue, SchedulingKeys.NODE_POOL),
                spec.path("priority").asInt(QueueDefinition.DEFAULT_PRIORITY),
                share(resources.path("gpu"), MICRO_GPUS),
                share(resources.path("cpu"), BigDecimal.ONE),
                share(resources.path("memory"), MEGABYTE),
                duration(spec.path("preemptMinRuntime")),
                duration(spec.path("reclaimMinRuntime")));
    }

    private static QueueDefinition.Share share(JsonNode resource, BigDecimal unit) {
        QueueDefinition.Share unset = QueueDefinition.Share.UNSET;
        double weight = resource.path("overQuotaWeight").asDouble(unset.weight());
        return new QueueDefinition.Share(
                amount(resource.path("quota"), unit, unset.quota()),
                amount(resource.path("limit"), unit, unset.limit()),
                weight >= 0 ? weight : unset.weight());
    }

    private static long amount(JsonNode value, BigDecimal unit, long unset) {
        if (!value.isNumber()) {
            return unset;
        }
        BigDecimal amount = value.decimalValue();
        if (amount.signum() < 0) {
            return amount.compareTo(BigDecimal.ONE.negate()) == 0 ? QueueDefinition.UNLIMITED : unset;
        }
        return amount.multiply(unit).setScale(0, RoundingMode.HALF_UP).min(MAX).longValueExact();
    }

    private static Optional<Duration> duration(JsonNode value) {
        return GoDuration.parse(value.asString("")).filter(duration -> !duration.isNegative());
    }
}
