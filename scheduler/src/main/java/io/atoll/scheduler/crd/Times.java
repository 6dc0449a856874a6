package io.atoll.scheduler.crd;

import io.atoll.model.Metadata;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Points in time as objects write them. Stateless. */
final class Times {
    private Times() {}

    /** When the object was made; the epoch for one that is not stored. */
    static Instant created(JsonNode object) {
        return parse(Metadata.creationTimestamp(object)).orElse(Instant.EPOCH);
    }

    static Optional<Instant> parse(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
