package io.atoll.controllers;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A cron line in a time zone: five fields, names and steps, or {@code @every} and the like. Immutable. */
final class CronSchedule {
    private static final Map<String, String> NAMED = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
    private static final int YEARS_MAX = 5;

    private final BitSet minutes;
    private final BitSet hours;
    private final BitSet daysOfMonth;
    private final BitSet months;
    private final BitSet daysOfWeek;
    private final boolean anyDayOfMonth;
    private final boolean anyDayOfWeek;
    private final ZoneId zone;

    private CronSchedule(String[] fields, ZoneId zone) {
        minutes = parse(fields[0], 0, 59, List.of(), 0);
        hours = parse(fields[1], 0, 23, List.of(), 0);
        daysOfMonth = parse(fields[2], 1, 31, List.of(), 0);
        months = parse(fields[3], 1, 12, MONTHS, 1);
        daysOfWeek = parse(fields[4], 0, 7, DAYS, 0);
        if (daysOfWeek.get(7)) {
            daysOfWeek.set(0);
        }
        anyDayOfMonth = fields[2].startsWith("*") || fields[2].equals("?");
        anyDayOfWeek = fields[4].startsWith("*") || fields[4].equals("?");
        this.zone = zone;
    }

    /** @throws IllegalArgumentException when it does not parse */
    static CronSchedule parse(String text, ZoneId zone) {
        String line = NAMED.getOrDefault(text.strip().toLowerCase(Locale.ROOT), text.strip());
        String[] fields = line.split("\\s+", -1);
        if (fields.length != 5) {
            throw new IllegalArgumentException("expected exactly 5 fields, found " + fields.length + ": " + text);
        }
        return new CronSchedule(fields, zone);
    }

    /** The first time after a moment; empty when there is none within five years. */
    Optional<Instant> next(Instant after) {
        ZonedDateTime time = after.atZone(zone).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
        ZonedDateTime end = time.plusYears(YEARS_MAX);
        while (time.isBefore(end)) {
            if (!months.get(time.getMonthValue())) {
                time = time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1).plusMonths(1);
            } else if (!dayMatches(time)) {
                time = time.truncatedTo(ChronoUnit.DAYS).plusDays(1);
            } else if (!hours.get(time.getHour())) {
                time = time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
            } else if (!minutes.get(time.getMinute())) {
                time = time.plusMinutes(1);
            } else {
                return Optional.of(time.toInstant());
            }
        }
        return Optional.empty();
    }

    /**
     * The latest time that is not after now, of those after a moment; looks back a day at most when many were missed.
     */
    Optional<Instant> latest(Instant after, Instant now) {
        Instant from = after.isBefore(now.minus(Duration.ofDays(1))) ? lastBefore(after, now) : after;
        Optional<Instant> found = Optional.empty();
        Optional<Instant> candidate = next(from);
        while (candidate.isPresent() && !candidate.get().isAfter(now)) {
            found = candidate;
            candidate = next(candidate.get());
        }
        return found;
    }

    /** A moment with at least one time between it and now, if there is one after the given moment. */
    private Instant lastBefore(Instant after, Instant now) {
        for (Duration back = Duration.ofDays(1); ; back = back.multipliedBy(2)) {
            Instant from = now.minus(back);
            if (!from.isAfter(after)) {
                return after;
            }
            if (next(from).filter(time -> !time.isAfter(now)).isPresent()) {
                return from;
            }
        }
    }

    /** When both days are given, either will do. */
    private boolean dayMatches(ZonedDateTime time) {
        boolean ofMonth = daysOfMonth.get(time.getDayOfMonth());
        boolean ofWeek = daysOfWeek.get(time.getDayOfWeek().getValue() % 7);
        boolean both = anyDayOfMonth || anyDayOfWeek;
        return both ? (ofMonth && ofWeek) : (ofMonth || ofWeek);
    }

    private static BitSet parse(String field, int min, int max, List<String> names, int firstName) {
        BitSet bits = new BitSet();
        for (String part : field.split(",", -1)) {
            int slash = part.indexOf('/');
            int step = slash < 0 ? 1 : Integer.parseInt(part.substring(slash + 1));
            String range = slash < 0 ? part : part.substring(0, slash);
            int dash = range.indexOf('-');
            int from;
            int to;
            if (range.equals("*") || range.equals("?")) {
                from = min;
                to = max;
            } else if (dash > 0) {
                from = value(range.substring(0, dash), names, firstName);
                to = value(range.substring(dash + 1), names, firstName);
            } else {
                from = value(range, names, firstName);
                to = slash < 0 ? from : max;
            }
            if (from < min || to > max || from > to || step < 1) {
                throw new IllegalArgumentException("out of range: " + field);
            }
            for (int i = from; i <= to; i += step) {
                bits.set(i);
            }
        }
        return bits;
    }

    private static int value(String text, List<String> names, int firstName) {
        int name = names.indexOf(text.toLowerCase(Locale.ROOT));
        return name >= 0 ? name + firstName : Integer.parseInt(text);
    }
}
