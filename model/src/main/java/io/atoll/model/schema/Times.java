package io.atoll.model.schema;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Times as Kubernetes writes them: UTC, in whole seconds or with six digits. */
public final class Times {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MICROSECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final int SECONDS_LENGTH = "2006-01-02T15:04:05Z".length();

    private Times() {}

    /** The canonical form; text that is no RFC 3339 time comes back as it is. */
    public static String canonical(String text, boolean microseconds) {
        if (!microseconds && text.length() == SECONDS_LENGTH && text.endsWith("Z")) {
            return text;
        }
        return parse(text).map(time -> format(time, microseconds)).orElse(text);
    }

    public static String format(Instant time, boolean microseconds) {
        return (microseconds ? MICROSECONDS : SECONDS).format(time);
    }

    /** Parses RFC 3339; empty when it is something else. */
    public static Optional<Instant> parse(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException notATime) {
            return Optional.empty();
        }
    }
}
