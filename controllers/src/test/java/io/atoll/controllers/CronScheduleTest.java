package io.atoll.controllers;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class CronScheduleTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * *        | 2026-12-01T10:00:30Z | 2026-12-01T10:01:00Z",
                "*/15 * * * *     | 2026-12-01T10:01:00Z | 2026-12-01T10:15:00Z",
                "0 3 * * *        | 2026-12-01T10:00:00Z | 2026-12-02T03:00:00Z",
                "0 0 31 * *       | 2026-12-31T00:00:00Z | 2027-01-31T00:00:00Z",
                "30 6 * * mon-fri | 2026-12-04T07:00:00Z | 2026-12-07T06:30:00Z",
                "0 0 1,15 * 3     | 2026-12-01T00:00:00Z | 2026-12-02T00:00:00Z",
                "0 0 29 feb *     | 2026-12-01T00:00:00Z | 2028-02-29T00:00:00Z",
                "0 0 * * 7        | 2026-12-01T00:00:00Z | 2026-12-06T00:00:00Z",
                "@hourly          | 2026-12-01T10:00:00Z | 2026-12-01T11:00:00Z",
            })
    void findsTheNextTime(String line, String after, String next) {
        assertThat(CronSchedule.parse(line, ZoneOffset.UTC).next(Instant.parse(after)))
                .contains(Instant.parse(next));
    }

    @Test
    void knowsTimeZones() {
        assertThat(CronSchedule.parse("0 9 * * *", ZoneId.of("Asia/Tokyo")).next(Instant.parse("2026-12-01T01:00:00Z")))
                .contains(Instant.parse("2026-12-02T00:00:00Z"));
    }

    @Test
    void findsTheLatestMissedTime() {
        CronSchedule schedule = CronSchedule.parse("0 * * * *", ZoneOffset.UTC);
        Instant now = Instant.parse("2026-12-01T10:30:00Z");
        assertThat(schedule.latest(Instant.parse("2026-11-01T00:00:00Z"), now))
                .contains(Instant.parse("2026-12-01T10:00:00Z"));
        assertThat(schedule.latest(Instant.parse("2026-12-01T10:00:00Z"), now)).isEmpty();
    }

    @Test
    void refusesWhatIsNoSchedule() {
        assertThatThrownBy(() -> CronSchedule.parse("* * * *", ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CronSchedule.parse("61 * * * *", ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
