package io.atoll.controllers;

import io.atoll.model.Metadata;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(90)
final class JobControllerTest {
    private static final String TRAIN = """
            metadata: {name: train}
            spec:
              completions: 3
              parallelism: 2
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: main, image: train:1}]
            """;

    @Test
    void runsToCompletion() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.phases = _ -> "Succeeded";
            ObjectNode job = fixture.apply(Kinds.JOBS, TRAIN);
            ObjectNode done = awaitEnd(fixture, JobOutcome.COMPLETE);
            assertThat(ControllerFixture.count(done, "succeeded")).isEqualTo(3);
            assertThat(ControllerFixture.conditionIs(done, "SuccessCriteriaMet", "True", "CompletionsReached"))
                    .isTrue();
            assertThat(done.path("status").has("startTime")).isTrue();
            assertThat(done.path("status").has("completionTime")).isTrue();
            assertThat(done.path("status").has("active")).isFalse();
            List<ObjectNode> pods = fixture.cluster.awaitAll(
                    Kinds.PODS, "default", all -> all.stream().noneMatch(JobPods::tracked));
            assertThat(pods).hasSize(3).allSatisfy(pod -> {
                assertThat(Metadata.label(pod, "batch.kubernetes.io/job-name")).isEqualTo("train");
                assertThat(Metadata.label(pod, "job-name")).isEqualTo("train");
                assertThat(Metadata.label(pod, "controller-uid")).isEqualTo(Metadata.uid(job));
                assertThat(ControllerFixture.ownedBy(pod, job)).isTrue();
            });
            fixture.awaitEvent(Kinds.JOBS, "train", "SuccessfulCreate");
            fixture.awaitEvent(Kinds.JOBS, "train", "Completed");
        }
    }

    @Test
    void givesUpAtTheBackoffLimit() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.phases = _ -> "Failed";
            fixture.apply(Kinds.JOBS, TRAIN.replace("completions: 3", "completions: 1\n  backoffLimit: 0"));
            ObjectNode failed = awaitEnd(fixture, JobOutcome.FAILED);
            assertThat(ControllerFixture.conditionIs(failed, "Failed", "True", "BackoffLimitExceeded"))
                    .isTrue();
            assertThat(ControllerFixture.conditionIs(failed, "FailureTarget", "True", "BackoffLimitExceeded"))
                    .isTrue();
            assertThat(ControllerFixture.count(failed, "failed")).isEqualTo(1);
            fixture.awaitEvent(Kinds.JOBS, "train", "BackoffLimitExceeded");
        }
    }

    @Test
    void givesEachIndexItsPod() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.phases = _ -> "Succeeded";
            fixture.apply(Kinds.JOBS, TRAIN.replace("completions: 3", "completions: 3\n  completionMode: Indexed"));
            ObjectNode done = awaitEnd(fixture, JobOutcome.COMPLETE);
            assertThat(done.path("status").path("completedIndexes").asString(""))
                    .isEqualTo("0-2");
            Set<String> hosts = fixture.cluster.list(Kinds.PODS, "default").stream()
                    .map(pod -> pod.path("spec").path("hostname").asString(""))
                    .collect(Collectors.toSet());
            assertThat(hosts).containsExactlyInAnyOrder("train-0", "train-1", "train-2");
            assertThat(fixture.cluster.list(Kinds.PODS, "default"))
                    .allSatisfy(pod -> assertThat(pod.path("spec")
                                    .path("containers")
                                    .path(0)
                                    .path("env")
                                    .toString())
                            .contains("JOB_COMPLETION_INDEX"));
        }
    }

    @Test
    void suspendsAndResumes() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.phases = _ -> "Running";
            fixture.apply(Kinds.JOBS, TRAIN);
            fixture.cluster.await(Kinds.JOBS, "default", "train", job -> ControllerFixture.count(job, "ready") == 2);
            fixture.mergePatch(Kinds.JOBS, "train", "{\"spec\":{\"suspend\":true}}");
            ObjectNode suspended = fixture.cluster.await(
                    Kinds.JOBS,
                    "default",
                    "train",
                    job -> ControllerFixture.conditionIs(job, "Suspended", "True", "JobSuspended")
                            && ControllerFixture.count(job, "active") == 0);
            assertThat(suspended.path("status").has("startTime")).isFalse();
            fixture.cluster.awaitAll(Kinds.PODS, "default", List::isEmpty);

            fixture.phases = _ -> "Succeeded";
            fixture.mergePatch(Kinds.JOBS, "train", "{\"spec\":{\"suspend\":false}}");
            ObjectNode done = awaitEnd(fixture, JobOutcome.COMPLETE);
            assertThat(ControllerFixture.count(done, "failed")).isZero();
        }
    }

    @Test
    void endsAtItsDeadline() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.JOBS, TRAIN.replace("completions: 3", "completions: 3\n  activeDeadlineSeconds: 1"));
            ObjectNode failed = awaitEnd(fixture, JobOutcome.FAILED);
            assertThat(ControllerFixture.conditionIs(failed, "Failed", "True", "DeadlineExceeded"))
                    .isTrue();
            fixture.cluster.awaitAll(Kinds.PODS, "default", List::isEmpty);
        }
    }

    @Test
    void goesWhenItsTimeHasPassed() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.phases = _ -> "Succeeded";
            fixture.apply(Kinds.JOBS, TRAIN.replace("completions: 3", "completions: 1\n  ttlSecondsAfterFinished: 1"));
            fixture.cluster.awaitAll(Kinds.JOBS, "default", jobs -> !jobs.isEmpty());
            fixture.cluster.awaitGone(Kinds.JOBS, "default", "train");
            fixture.cluster.awaitAll(Kinds.PODS, "default", List::isEmpty);
        }
    }

    private static ObjectNode awaitEnd(ControllerFixture fixture, String condition) {
        return fixture.cluster.await(
                Kinds.JOBS, "default", "train", job -> Conditions.isTrue(job.path("status"), condition));
    }
}
