package io.atoll.scheduler;

import io.atoll.client.Client.DeleteOptions;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.StatusReason;
import io.atoll.model.Yaml;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.testkit.ManualTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The loop around the planner, on a host in memory. */
class SchedulerTest {
    private static final String NAMESPACE = "team";

    private final FakeHost host = new FakeHost();
    private final ManualTimers timers = new ManualTimers(Instant.parse("2026-12-01T00:00:00Z"));
    private Optional<Scheduler> scheduler = Optional.empty();

    @AfterEach
    void close() {
        scheduler.ifPresent(Scheduler::close);
    }

    @Test
    void bindsAPodAndSaysSo() {
        node("a", 1);
        start();
        pod("p", "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        awaitBound("p", "a");
        ObjectNode event = host.awaitEvent("p", "Scheduled");
        assertThat(event.path("message").asString("")).isEqualTo("Successfully assigned team/p to a");
        assertThat(event.path("type").asString("")).isEqualTo("Normal");
        assertThat(event.path("reportingComponent").asString("")).isEqualTo("default-scheduler");
    }

    @Test
    void podsThatWereThereBeforeItStartedCount() {
        node("a", 1);
        pod("running", "{nodeName: a, containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        pod("p", "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        start();
        host.awaitEvent("p", "FailedScheduling");
        assertThat(host.bindings()).isZero();
    }

    @Test
    void waitingPodSaysWhyAndStartsWhenAnotherFinishes() {
        node("t4-0", 1);
        node("t4-1", 1);
        start();
        for (String name : new String[] {"one", "two"}) {
            pod(name, "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
            host.await(BuiltInTypes.PODS, NAMESPACE, name, SchedulerTest::isBound);
        }
        pod("three", "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        String message = "0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: 0/2 nodes are available:"
                + " 2 No preemption victims found for incoming pod.";
        ObjectNode event = host.awaitEvent("three", "FailedScheduling");
        assertThat(event.path("message").asString("")).isEqualTo(message);
        assertThat(event.path("type").asString("")).isEqualTo("Warning");
        ObjectNode waiting = host.await(
                BuiltInTypes.PODS,
                NAMESPACE,
                "three",
                pod -> !pod.path("status").path("conditions").isEmpty());
        JsonNode condition = waiting.path("status").path("conditions").path(0);
        assertThat(condition.path("type").asString("")).isEqualTo("PodScheduled");
        assertThat(condition.path("status").asString("")).isEqualTo("False");
        assertThat(condition.path("reason").asString("")).isEqualTo("Unschedulable");
        assertThat(condition.path("message").asString("")).isEqualTo(message);
        assertThat(condition.path("lastTransitionTime").asString("")).isEqualTo("2026-12-01T00:00:00Z");

        ObjectNode finished = host.get(BuiltInTypes.PODS, NAMESPACE, "one");
        String freed = finished.path("spec").path("nodeName").asString("");
        Json.child(finished, "status").put("phase", "Succeeded");
        host.update(BuiltInTypes.PODS, finished);
        awaitBound("three", freed);
    }

    @Test
    void waitingPodStartsWhenANodeComes() {
        start();
        pod("p", "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        assertThat(host.awaitEvent("p", "FailedScheduling").path("message").asString(""))
                .isEqualTo("no nodes available to schedule pods");
        node("a", 1);
        awaitBound("p", "a");
    }

    @Test
    void waitingPodStartsWhenANodeLosesItsTaint() {
        ObjectNode node = node("a", 1);
        Json.child(node, "spec").putArray("taints").addObject().put("key", "k").put("effect", "NoSchedule");
        host.update(BuiltInTypes.NODES, node);
        start();
        pod("p", "{containers: [{}]}");
        host.awaitEvent("p", "FailedScheduling");
        Json.child(node, "spec").remove("taints");
        host.update(BuiltInTypes.NODES, node);
        awaitBound("p", "a");
    }

    @Test
    void waitingPodStartsWhenOneIsDeleted() {
        node("a", 1);
        pod("running", "{nodeName: a, containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        start();
        pod("p", "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        host.awaitEvent("p", "FailedScheduling");
        host.delete(BuiltInTypes.PODS, NAMESPACE, "running", DeleteOptions.DEFAULT);
        awaitBound("p", "a");
    }

    @Test
    void gatedPodsAndThoseOfOtherSchedulersAreLeftAlone() {
        node("a", 8);
        start();
        pod("gated", "{schedulingGates: [{name: wait}], containers: [{}]}");
        pod("foreign", "{schedulerName: someone-else, containers: [{}]}");
        pod("kai", "{schedulerName: kai-scheduler, containers: [{}]}");
        awaitBound("kai", "a");
        assertThat(host.awaitEvent("kai", "Scheduled")
                        .path("reportingComponent")
                        .asString(""))
                .isEqualTo("kai-scheduler");
        assertThat(host.bindings()).isEqualTo(1);

        ObjectNode gated = host.get(BuiltInTypes.PODS, NAMESPACE, "gated");
        Json.child(gated, "spec").remove("schedulingGates");
        host.update(BuiltInTypes.PODS, gated);
        awaitBound("gated", "a");
    }

    @Test
    void failedBindingIsTriedAgainAfterAWaitAndHoldsNoRoomMeanwhile() {
        node("a", 1);
        AtomicInteger failures = new AtomicInteger();
        host.failBindings(binding ->
                binding.path("metadata").path("name").asString("").equals("unlucky") && failures.getAndIncrement() == 0
                        ? Optional.of(new ApiException(StatusReason.InternalError, "no luck"))
                        : Optional.empty());
        start();
        pod("unlucky", "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        awaitTimer();
        pod("lucky", "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        awaitBound("lucky", "a");
        timers.advance(Duration.ofSeconds(1));
        host.awaitEvent("unlucky", "FailedScheduling");
        host.delete(BuiltInTypes.PODS, NAMESPACE, "lucky", DeleteOptions.DEFAULT);
        awaitBound("unlucky", "a");
    }

    @Test
    void replicasWithAffinityToEachOtherAllStart() {
        ObjectNode node = node("a", 0);
        Json.child(Json.child(node, "metadata"), "labels").put("zone", "z");
        host.update(BuiltInTypes.NODES, node);
        start();
        pod(
                "follower",
                "{affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone,"
                        + " labelSelector: {matchLabels: {app: leader}}}]}}, containers: [{}]}");
        host.awaitEvent("follower", "FailedScheduling");
        ObjectNode leader = podTree("leader", "{containers: [{}]}");
        Json.child(Json.child(leader, "metadata"), "labels").put("app", "leader");
        host.create(BuiltInTypes.PODS, NAMESPACE, leader);
        awaitBound("leader", "a");
        awaitBound("follower", "a");
    }

    @Test
    void manyPodsAtOnceNeverOvercommit() {
        for (int i = 0; i < 10; i++) {
            node("n" + i, 4);
        }
        start();
        for (int i = 0; i < 60; i++) {
            pod("p" + i, "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}");
        }
        Map<String, Integer> perNode = new HashMap<>();
        int bound = 0;
        for (int i = 0; i < 60; i++) {
            ObjectNode pod = host.await(
                    BuiltInTypes.PODS,
                    NAMESPACE,
                    "p" + i,
                    read -> isBound(read)
                            || !read.path("status").path("conditions").isEmpty());
            if (isBound(pod)) {
                bound++;
                perNode.merge(pod.path("spec").path("nodeName").asString(""), 1, Integer::sum);
            }
        }
        assertThat(bound).isEqualTo(40);
        assertThat(perNode.values()).allMatch(count -> count == 4);
    }

    private void start() {
        scheduler = Optional.of(Scheduler.start(host, host.cache(), timers, SchedulerOptions.DEFAULT));
    }

    private ObjectNode node(String name, int gpus) {
        return host.create(
                BuiltInTypes.NODES,
                "",
                Yaml.parse("{kind: Node, apiVersion: v1, metadata: {name: " + name + "}, status: {allocatable:"
                        + " {cpu: 8, memory: 32Gi, pods: 110, nvidia.com/gpu: " + gpus + "}}}"));
    }

    private void pod(String name, String spec) {
        host.create(BuiltInTypes.PODS, NAMESPACE, podTree(name, spec));
    }

    private static ObjectNode podTree(String name, String spec) {
        return Yaml.parse("{kind: Pod, apiVersion: v1, metadata: {name: " + name + ", namespace: " + NAMESPACE
                + "}, spec: " + spec + "}");
    }

    private void awaitBound(String pod, String node) {
        ObjectNode bound = host.await(BuiltInTypes.PODS, NAMESPACE, pod, SchedulerTest::isBound);
        assertThat(bound.path("spec").path("nodeName").asString("")).isEqualTo(node);
    }

    private static boolean isBound(ObjectNode pod) {
        return !pod.path("spec").path("nodeName").asString("").isEmpty();
    }

    /** Waits until the scheduler waits for a time. */
    private void awaitTimer() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (timers.pending() == 0) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("no timer was set");
            }
            Thread.onSpinWait();
        }
    }
}
