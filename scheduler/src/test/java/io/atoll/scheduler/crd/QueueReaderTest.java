package io.atoll.scheduler.crd;

import io.atoll.model.Yaml;
import io.atoll.scheduler.core.queue.QueueSpec;
import io.atoll.scheduler.core.queue.ResourceVector;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class QueueReaderTest {
    @Test
    void everyFieldInTheSchedulersUnits() {
        QueueSpec queue = QueueReader.read(Yaml.parse("""
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
                    memory: {quota: 1500, limit: 2000, overQuotaWeight: 0.5}
                """));

        assertThat(queue)
                .isEqualTo(QueueSpec.named("team-a")
                        .displayName("Team A")
                        .parent("research")
                        .priority(7)
                        .quota(new ResourceVector(2_500_000, 4_000, 1_500_000_000L))
                        .limit(new ResourceVector(8_000_000, ResourceVector.UNLIMITED, 2_000_000_000L))
                        .overQuotaWeight(new ResourceVector(3_000_000, 0, 500_000))
                        .preemptMinRuntimeMillis(5_400_000L)
                        .reclaimMinRuntimeMillis(90_000L)
                        .createdMillis(Instant.parse("2026-01-02T03:04:05Z").toEpochMilli())
                        .build());
    }

    @Test
    void whatIsLeftOutForbidsNothing() {
        QueueSpec queue = QueueReader.read(Yaml.parse(
                "{metadata: {name: q, creationTimestamp: '1970-01-01T00:00:00Z'}, spec: {resources: {gpu: {}}}}"));

        assertThat(queue).isEqualTo(QueueSpec.named("q").build());
        assertThat(queue.limit()).isEqualTo(ResourceVector.all(ResourceVector.UNLIMITED));
        assertThat(queue.overQuotaWeight()).isEqualTo(ResourceVector.all(QueueSpec.WEIGHT_ONE));
        assertThat(queue.priority()).isEqualTo(100);
    }

    @Test
    void theNodePoolIsALabel() {
        assertThat(QueueReader.nodePool(Yaml.parse("{metadata: {labels: {kai.scheduler/node-pool: a100}}}")))
                .isEqualTo("a100");
    }

    @ParameterizedTest
    @CsvSource({
        "-1, -1",
        "0, 0",
        "0.1, 100000",
        "0.0000004, 0",
        "1e30, 9223372036854775807",
        "-2, -2000000",
        "-0.000001, -2",
    })
    void aQuotaOfGpus(String written, long microGpus) {
        QueueSpec queue = QueueReader.read(Yaml.parse("{spec: {resources: {gpu: {quota: " + written + "}}}}"));

        assertThat(queue.quota().gpu).isEqualTo(microGpus);
    }

    @ParameterizedTest
    @CsvSource({"-1, -1", "0, 0", "2, 2000000", "-3, -3000000"})
    void aLimitOfGpus(String written, long microGpus) {
        QueueSpec queue = QueueReader.read(Yaml.parse("{spec: {resources: {gpu: {limit: " + written + "}}}}"));

        assertThat(queue.limit().gpu).isEqualTo(microGpus);
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
