package io.atoll.controllers;

import io.atoll.model.Metadata;
import io.atoll.testkit.ManualTimers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
final class CronJobControllerTest {
    @Test
    void startsAJobWhenItsTimeComes() {
        ManualTimers timers = new ManualTimers(Instant.now().truncatedTo(ChronoUnit.MINUTES));
        Set<BuiltInControllers.Name> names = EnumSet.of(BuiltInControllers.Name.CRON_JOB);
        try (ControllerFixture fixture = new ControllerFixture(new BuiltInControllers.Options(names, "", timers))) {
            ObjectNode cron = fixture.apply(Kinds.CRON_JOBS, """
                    metadata: {name: nightly}
                    spec:
                      schedule: "*/5 * * * *"
                      jobTemplate:
                        metadata: {labels: {kind: nightly}}
                        spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}}
                    """);
            fixture.cluster.awaitAll(Kinds.CRON_JOBS, "default", _ -> timers.pending() > 0);
            timers.advance(Duration.ofMinutes(6));
            ObjectNode job = fixture.cluster
                    .awaitAll(Kinds.JOBS, "default", jobs -> jobs.size() == 1)
                    .getFirst();
            assertThat(Metadata.name(job)).matches("nightly-\\d{8}");
            assertThat(Metadata.label(job, "kind")).isEqualTo("nightly");
            assertThat(ControllerFixture.ownedBy(job, cron)).isTrue();
            fixture.cluster.await(
                    Kinds.CRON_JOBS,
                    "default",
                    "nightly",
                    object -> object.path("status").path("active").size() == 1
                            && object.path("status").has("lastScheduleTime"));
            fixture.awaitEvent(Kinds.CRON_JOBS, "nightly", "SuccessfulCreate");
        }
    }
}
