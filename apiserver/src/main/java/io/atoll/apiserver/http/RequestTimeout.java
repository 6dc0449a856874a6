package io.atoll.apiserver.http;

import io.atoll.model.ApiException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the {@code timeout} and {@code timeoutSeconds} query parameters. */
final class RequestTimeout {
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h)");

    private RequestTimeout() {}

    /** The deadline that a request asks for, at most {@code max}, which is also what one without a wish gets. */
    static Duration of(@Nullable String text, Duration max) {
        if (text == null || text.isEmpty()) {
            return max;
        }
        Duration wish = parse(text);
        return wish.isZero() || wish.compareTo(max) > 0 ? max : wish;
    }

    /** Zero when none is named. */
    static Duration ofSeconds(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return Duration.ZERO;
        }
        try {
            return Duration.ofSeconds(Math.clamp(Long.parseLong(text), 0, 365 * 24 * 3600));
        } catch (NumberFormatException e) {
            throw ApiException.badRequest("invalid timeoutSeconds \"" + text + "\": not a whole number");
        }
    }

    private static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher part = PART.matcher(text);
        BigDecimal nanos = BigDecimal.ZERO;
        int end = 0;
        while (end < text.length() && part.find(end) && part.start() == end) {
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unitNanos(part.group(2)))));
            end = part.end();
        }
        if (end < text.length()) {
            throw ApiException.badRequest("invalid timeout specified in the request URL: \"" + text + "\"");
        }
        return Duration.ofNanos(nanos.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue());
    }

    private static long unitNanos(String unit) {
        return switch (unit) {
            case "h" -> 3_600_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "s" -> 1_000_000_000L;
            case "ms" -> 1_000_000L;
            case "ns" -> 1L;
            default -> 1_000L;
        };
    }
}
