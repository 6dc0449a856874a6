package io.atoll.apiserver.http;

import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The {@code Date} header, formatted once a second. Any thread. */
final class HttpDate {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    private final InstantSource clock;
    private volatile Second last = new Second(Long.MIN_VALUE, "");

    private record Second(long epochSecond, String text) {}

    HttpDate(InstantSource clock) {
        this.clock = clock;
    }

    String now() {
        long second = clock.millis() / 1000;
        Second known = last;
        if (known.epochSecond() != second) {
            known = new Second(second, FORMAT.format(clock.instant().atOffset(ZoneOffset.UTC)));
            last = known;
        }
        return known.text();
    }
}
