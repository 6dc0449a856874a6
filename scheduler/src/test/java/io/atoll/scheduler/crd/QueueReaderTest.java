package io.atoll.scheduler.crd;

import io.atoll.model.Yaml;
import io.atoll.scheduler.crd.QueueDefinition.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class QueueReaderTest {
    @Test
    void everyFieldInTheSchedulersUnits() {
        QueueDefinition queue = QueueReader.read(Yaml.parse("""
                metadata:
                  name: team-a
                  uid: u1
                  creationTimestamp: "2026-01-02T03:04:05Z"
                  labels: {kai.scheduler/node-pool: a100}
                spec:
                  displayName: Team A
                  parentQueue: research
                  priority: 7
                  preemptMinRuntime: 1h30m
                  reclaimMinRuntime: 90s
                  resources:
                    gpu: {quota: 2.5, limit: 8, overQuotaWeight: 3}
                    cpu: {quota: 4000, limit: -1, overQuotaWeight: 0}
                    memory: {quota: 1500, limit: 2000, overQuotaWeight: 1}
                """));

        assertThat(queue)
                .isEqualTo(new QueueDefinition(
                        "team-a",
                        "Team A",
                        "u1",
                        Instant.parse("2026-01-02T03:04:05Z"),
                        "research",
                        "a100",
                        7,
                        new Share(2_500_000, 8_000_000, 3),
                        new Share(4_000, QueueDefinition.UNLIMITED, 0),
                        new Share(1_500_000_000L, 2_000_000_000L, 1),
                        Optional.of(Duration.ofMinutes(90)),
                        Optional.of(Duration.ofSeconds(90))));
    }

    @Test
    void whatIsLeftOutForbidsNothing() {
        QueueDefinition queue = QueueReader.read(Yaml.parse("{metadata: {name: q}, spec: {resources: {gpu: {}}}}"));

        assertThat(queue.gpu()).isEqualTo(new Share(0, QueueDefinition.UNLIMITED, 1));
        assertThat(queue.cpu()).isEqualTo(Share.UNSET);
        assertThat(queue.memory()).isEqualTo(Share.UNSET);
        assertThat(queue.priority()).isEqualTo(100);
        assertThat(queue.displayName()).isEqualTo("q");
        assertThat(queue.parent()).isEmpty();
        assertThat(queue.preemptMinRuntime()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, -1",
        "0, 0",
        "0.1, 100000",
        "0.0000004, 0",
        "1e30, 9223372036854775807",
        "-2, 0",
    })
    void aQuotaOfGpus(String written, long microGpus) {
        QueueDefinition queue = QueueReader.read(Yaml.parse("{spec: {resources: {gpu: {quota: " + written + "}}}}"));

        assertThat(queue.gpu().quota()).isEqualTo(microGpus);
    }

    @ParameterizedTest
    @CsvSource({"-1, -1", "0, 0", "2, 2000000", "-3, -1"})
    void aLimitOfGpus(String written, long microGpus) {
        QueueDefinition queue = QueueReader.read(Yaml.parse("{spec: {resources: {gpu: {limit: " + written + "}}}}"));

        assertThat(queue.gpu().limit()).isEqualTo(microGpus);
    }

    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "5m, PT5M",
        "1.5h, PT1H30M",
        "1h2m3s4ms5us6ns, PT1H2M3.004005006S",
        "-1s, PT-1S",
        ".5s, PT0.5S",
    })
    void durations(String written, Duration duration) {
        assertThat(GoDuration.parse(written)).contains(duration);
    }

    @ParameterizedTest
    @CsvSource({"''", "5", "5x", "m5", "1h 2m", "--1s", "9999999999h"})
    void noDurations(String written) {
        assertThat(GoDuration.parse(written)).isEmpty();
    }
}
