package io.atoll.scheduler;

import io.atoll.base.Timers;
import io.atoll.client.Client.DeleteOptions;
import io.atoll.model.Json;
import io.atoll.model.Yaml;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.testkit.TestCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The scheduler against a real API server: its bindings, conditions and events are accepted as they are. */
class SchedulerOnApiServerTest {
    private static final String NAMESPACE = "team";

    private final TestCluster cluster = TestCluster.start();
    private final Scheduler scheduler =
            Scheduler.start(cluster.client(), cluster.cache(), Timers.system(), SchedulerOptions.DEFAULT);

    @BeforeEach
    void createNamespace() {
        ObjectNode namespace = Json.object().put("kind", "Namespace").put("apiVersion", "v1");
        namespace.putObject("metadata").put("name", NAMESPACE);
        cluster.client().create(BuiltInTypes.NAMESPACES, "", namespace);
        // its controller does not run here
        cluster.client()
                .create(
                        BuiltInTypes.SERVICE_ACCOUNTS,
                        NAMESPACE,
                        Yaml.parse("{kind: ServiceAccount, apiVersion: v1, metadata: {name: default}}"));
    }

    @AfterEach
    void close() {
        scheduler.close();
        cluster.close();
    }

    @Test
    void thirdGpuPodWaitsWithReasonsAndStartsWhenOneGoes() {
        node("t4-0");
        node("t4-1");
        pod("one");
        pod("two");
        awaitBound("one");
        awaitBound("two");
        pod("three");
        ObjectNode waiting = cluster.await(BuiltInTypes.PODS, NAMESPACE, "three", pod -> condition(pod, "False"));
        String message = "0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: 0/2 nodes are available:"
                + " 2 No preemption victims found for incoming pod.";
        assertThat(scheduledCondition(waiting).path("reason").asString("")).isEqualTo("Unschedulable");
        assertThat(scheduledCondition(waiting).path("message").asString("")).isEqualTo(message);
        List<ObjectNode> events = cluster.awaitAll(
                BuiltInTypes.EVENTS, NAMESPACE, all -> all.stream().anyMatch(event -> is(event, "FailedScheduling")));
        ObjectNode failed = events.stream()
                .filter(event -> is(event, "FailedScheduling"))
                .findFirst()
                .orElseThrow();
        assertThat(failed.path("message").asString("")).isEqualTo(message);
        assertThat(failed.path("involvedObject").path("name").asString("")).isEqualTo("three");

        cluster.client().delete(BuiltInTypes.PODS, NAMESPACE, "one", new DeleteOptions(0, "", ""));
        ObjectNode bound = awaitBound("three");
        assertThat(condition(bound, "True")).isTrue();
        assertThat(bound.path("status").path("conditions")).hasSize(1);
    }

    private ObjectNode awaitBound(String name) {
        return cluster.await(
                BuiltInTypes.PODS,
                NAMESPACE,
                name,
                pod -> !pod.path("spec").path("nodeName").asString("").isEmpty());
    }

    private static boolean is(ObjectNode event, String reason) {
        return event.path("reason").asString("").equals(reason);
    }

    private static boolean condition(ObjectNode pod, String status) {
        return scheduledCondition(pod).path("status").asString("").equals(status);
    }

    private static JsonNode scheduledCondition(ObjectNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asString("").equals("PodScheduled")) {
                return condition;
            }
        }
        return Json.object();
    }

    private void node(String name) {
        ObjectNode node = Yaml.parse("{kind: Node, apiVersion: v1, metadata: {name: " + name + "}}");
        ObjectNode created = cluster.client().create(BuiltInTypes.NODES, "", node);
        created.set("status", Yaml.parse("{allocatable: {cpu: '8', memory: 32Gi, pods: '110', nvidia.com/gpu: '1'}}"));
        cluster.client().updateStatus(BuiltInTypes.NODES, created);
    }

    private void pod(String name) {
        cluster.client()
                .create(
                        BuiltInTypes.PODS,
                        NAMESPACE,
                        Yaml.parse("{kind: Pod, apiVersion: v1, metadata: {name: " + name + "}, spec: {containers:"
                                + " [{name: main, image: work, resources: {limits: {nvidia.com/gpu: '1'}}}]}}"));
    }
}
