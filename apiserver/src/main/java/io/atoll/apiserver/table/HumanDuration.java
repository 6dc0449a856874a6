package io.atoll.apiserver.table;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Ages as kubectl shows them: {@code 5s}, {@code 3m12s}, {@code 4h5m}, {@code 6d3h}, {@code 2y14d}. */
final class HumanDuration {
    static final String UNKNOWN = "<unknown>";
    static final String INVALID = "<invalid>";

    private static final long SECONDS_AS_SECONDS_MAX = 120;
    private static final long MINUTES_WITH_SECONDS_MAX = 10;
    private static final long MINUTES_MAX = 180;
    private static final long HOURS_WITH_MINUTES_MAX = 8;
    private static final long HOURS_MAX = 48;
    private static final long HOURS_AS_DAYS_AND_HOURS_MAX = 24 * 8;
    private static final long DAYS_MAX = 365 * 2;
    private static final long YEARS_WITH_DAYS_MAX = 8;

    private HumanDuration() {}

    static String format(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) {
            return INVALID;
        }
        if (seconds < 0 || duration.isNegative()) {
            return "0s";
        }
        if (seconds < SECONDS_AS_SECONDS_MAX) {
            return seconds + "s";
        }
        long minutes = duration.toMinutes();
        if (minutes < MINUTES_WITH_SECONDS_MAX) {
            return pair(minutes, "m", seconds % 60, "s");
        }
        if (minutes < MINUTES_MAX) {
            return minutes + "m";
        }
        long hours = duration.toHours();
        if (hours < HOURS_WITH_MINUTES_MAX) {
            return pair(hours, "h", minutes % 60, "m");
        }
        if (hours < HOURS_MAX) {
            return hours + "h";
        }
        if (hours < HOURS_AS_DAYS_AND_HOURS_MAX) {
            return pair(hours / 24, "d", hours % 24, "h");
        }
        long days = hours / 24;
        if (days < DAYS_MAX) {
            return days + "d";
        }
        long years = days / 365;
        return years < YEARS_WITH_DAYS_MAX ? pair(years, "y", days % 365, "d") : years + "y";
    }

    /** Age of an RFC 3339 timestamp; empty text is unknown. */
    static String since(String timestamp, Instant now) {
        if (timestamp.isEmpty()) {
            return UNKNOWN;
        }
        try {
            return format(Duration.between(OffsetDateTime.parse(timestamp).toInstant(), now));
        } catch (DateTimeParseException e) {
            return INVALID;
        }
    }

    private static String pair(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + largeUnit : large + largeUnit + small + smallUnit;
    }
}
