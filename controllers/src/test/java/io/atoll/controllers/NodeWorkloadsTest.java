package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.model.Metadata;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Daemons on nodes, budgets for evictions, and quotas. */
@Timeout(90)
final class NodeWorkloadsTest {
    @Test
    void runsADaemonOnEachNodeItTolerates() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.NODES, "metadata: {name: a, labels: {gpu: t4}}");
            fixture.apply(Kinds.NODES, "metadata: {name: b}");
            fixture.apply(Kinds.NODES, """
                    metadata: {name: c}
                    spec: {taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}
                    """);
            ObjectNode set = fixture.apply(Kinds.DAEMON_SETS, """
                    metadata: {name: agent}
                    spec:
                      selector: {matchLabels: {app: agent}}
                      template:
                        metadata: {labels: {app: agent}}
                        spec: {containers: [{name: main, image: agent:1}]}
                    """);
            ObjectNode ready = fixture.cluster.await(
                    Kinds.DAEMON_SETS,
                    "default",
                    "agent",
                    object -> ControllerFixture.count(object, "numberReady") == 2);
            assertThat(ControllerFixture.count(ready, "desiredNumberScheduled")).isEqualTo(2);
            List<ObjectNode> pods = fixture.cluster.list(Kinds.PODS, "default");
            assertThat(pods)
                    .hasSize(2)
                    .allSatisfy(pod ->
                            assertThat(ControllerFixture.ownedBy(pod, set)).isTrue());
            assertThat(pods).extracting(DaemonPlacement::node).containsExactlyInAnyOrder("a", "b");

            fixture.mergePatch(
                    Kinds.DAEMON_SETS,
                    "agent",
                    "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"agent:2\"}]}}}}");
            fixture.cluster.awaitAll(Kinds.CONTROLLER_REVISIONS, "default", revisions -> revisions.size() == 2);
            fixture.cluster.awaitAll(
                    Kinds.PODS,
                    "default",
                    now -> now.size() == 2
                            && now.stream().allMatch(pod -> pod.toString().contains("agent:2") && Pods.ready(pod)));

            fixture.mergePatch(Kinds.NODES, "b", "{\"metadata\":{\"labels\":{\"gpu\":\"t4\"}}}");
            fixture.mergePatch(
                    Kinds.DAEMON_SETS,
                    "agent",
                    "{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"gpu\":\"h100\"}}}}}");
            fixture.cluster.awaitAll(Kinds.PODS, "default", List::isEmpty);
        }
    }

    @Test
    void countsWhatABudgetAllows() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.POD_DISRUPTION_BUDGETS, """
                    metadata: {name: web}
                    spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
                    """);
            fixture.apply(Kinds.DEPLOYMENTS, """
                    metadata: {name: web}
                    spec:
                      replicas: 3
                      selector: {matchLabels: {app: web}}
                      template:
                        metadata: {labels: {app: web}}
                        spec: {containers: [{name: main, image: web:1}]}
                    """);
            ObjectNode budget = fixture.cluster.await(
                    Kinds.POD_DISRUPTION_BUDGETS,
                    "default",
                    "web",
                    object -> ControllerFixture.count(object, "disruptionsAllowed") == 1);
            assertThat(ControllerFixture.count(budget, "expectedPods")).isEqualTo(3);
            assertThat(ControllerFixture.count(budget, "desiredHealthy")).isEqualTo(2);
            assertThat(ControllerFixture.conditionIs(budget, "DisruptionAllowed", "True", "SufficientPods"))
                    .isTrue();
        }
    }

    @Test
    void addsUpWhatAQuotaLimits() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.RESOURCE_QUOTAS, """
                    metadata: {name: gpus}
                    spec: {hard: {requests.nvidia.com/gpu: "4", pods: "10", requests.cpu: "8", configmaps: "5"}}
                    """);
            ObjectNode pod = fixture.apply(Kinds.PODS, """
                    metadata: {name: train}
                    spec:
                      containers:
                      - name: main
                        image: train:1
                        resources: {requests: {cpu: 500m, nvidia.com/gpu: "2"}, limits: {nvidia.com/gpu: "2"}}
                    """);
            fixture.cluster.await(
                    Kinds.RESOURCE_QUOTAS,
                    "default",
                    "gpus",
                    quota -> used(quota, "pods").equals("1")
                            && used(quota, "requests.nvidia.com/gpu").equals("2")
                            && used(quota, "requests.cpu").equals("500m")
                            && used(quota, "configmaps").equals("1"));
            fixture.client.delete(Kinds.PODS, "default", Metadata.name(pod), Client.DeleteOptions.DEFAULT);
            fixture.cluster.await(
                    Kinds.RESOURCE_QUOTAS,
                    "default",
                    "gpus",
                    quota -> used(quota, "pods").equals("0")
                            && used(quota, "requests.nvidia.com/gpu").equals("0"));
        }
    }

    private static String used(ObjectNode quota, String name) {
        return quota.path("status").path("used").path(name).asString("");
    }
}
