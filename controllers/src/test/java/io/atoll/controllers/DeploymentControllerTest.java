package io.atoll.controllers;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(90)
final class DeploymentControllerTest {
    private static final String WEB = """
            metadata: {name: web, annotations: {team: blue}}
            spec:
              replicas: 3
              revisionHistoryLimit: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, image: web:1}]}
            """;

    @Test
    void rollsOutUpdatesUndoesAndForgetsOldRevisions() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            ObjectNode deployment = fixture.apply(Kinds.DEPLOYMENTS, WEB);
            ObjectNode done = awaitRolledOut(fixture);
            assertThat(ControllerFixture.conditionIs(done, "Progressing", "True", "NewReplicaSetAvailable"))
                    .isTrue();
            assertThat(ControllerFixture.conditionIs(done, "Available", "True", "MinimumReplicasAvailable"))
                    .isTrue();
            assertThat(Metadata.annotation(done, Deployments.REVISION)).isEqualTo("1");
            ObjectNode first =
                    fixture.cluster.list(Kinds.REPLICA_SETS, "default").getFirst();
            String hash = Metadata.label(first, "pod-template-hash");
            assertThat(Metadata.name(first)).isEqualTo("web-" + hash);
            assertThat(ControllerFixture.ownedBy(first, deployment)).isTrue();
            assertThat(Metadata.annotation(first, Deployments.DESIRED_REPLICAS)).isEqualTo("3");
            assertThat(Metadata.annotation(first, Deployments.MAX_REPLICAS)).isEqualTo("4");
            assertThat(Metadata.annotation(first, "team")).isEqualTo("blue");
            assertThat(fixture.cluster.list(Kinds.PODS, "default"))
                    .allSatisfy(pod ->
                            assertThat(Metadata.label(pod, "pod-template-hash")).isEqualTo(hash));

            setImage(fixture, "web:2");
            ObjectNode second = awaitRevision(fixture, "2");
            assertThat(fixture.cluster.list(Kinds.REPLICA_SETS, "default")).hasSize(2);
            assertThat(second.path("status").path("updatedReplicas").asInt()).isEqualTo(3);

            // An undo is the old template written again: its set becomes the newest.
            setImage(fixture, "web:1");
            awaitRevision(fixture, "3");
            ObjectNode again = fixture.cluster.await(
                    Kinds.REPLICA_SETS,
                    "default",
                    Metadata.name(first),
                    set -> Metadata.annotation(set, Deployments.REVISION).equals("3"));
            assertThat(Metadata.annotation(again, Deployments.REVISION_HISTORY)).isEqualTo("1");

            setImage(fixture, "web:3");
            awaitRevision(fixture, "4");
            setImage(fixture, "web:4");
            awaitRevision(fixture, "5");
            // The present one and two to go back to.
            fixture.cluster.awaitAll(Kinds.REPLICA_SETS, "default", sets -> sets.size() == 3);
            fixture.awaitEvent(Kinds.DEPLOYMENTS, "web", "ScalingReplicaSet");
        }
    }

    @Test
    void neverHasMoreOrFewerPodsThanTheStrategyAllows() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.DEPLOYMENTS, WEB.replace("replicas: 3", """
                    replicas: 4
                      strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}""".stripIndent()));
            fixture.cluster.await(
                    Kinds.DEPLOYMENTS,
                    "default",
                    "web",
                    object -> ControllerFixture.count(object, "availableReplicas") == 4);
            // Nothing new becomes ready: the rollout must stop after one pod.
            fixture.phases = pod -> image(pod).equals("web:1") ? "Running" : "";
            setImage(fixture, "web:2");
            ObjectNode stuck = fixture.cluster.await(
                    Kinds.DEPLOYMENTS,
                    "default",
                    "web",
                    object -> ControllerFixture.count(object, "updatedReplicas") == 1
                            && ControllerFixture.count(object, "unavailableReplicas") == 1);
            assertThat(ControllerFixture.count(stuck, "replicas")).isEqualTo(5);
            assertThat(ControllerFixture.count(stuck, "availableReplicas")).isEqualTo(4);

            fixture.phases = _ -> "Running";
            fixture.kubelet.lookAgain();
            awaitRevision(fixture, "2");
        }
    }

    @Test
    void recreateStopsTheOldPodsFirst() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.DEPLOYMENTS, WEB.replace("replicas: 3", "replicas: 3\n  strategy: {type: Recreate}"));
            awaitRolledOut(fixture);
            setImage(fixture, "web:2");
            awaitRevision(fixture, "2");
            fixture.cluster.awaitAll(
                    Kinds.PODS,
                    "default",
                    pods -> pods.size() == 3
                            && pods.stream().allMatch(pod -> image(pod).equals("web:2")));
        }
    }

    @Test
    void pausesScalesAndResumes() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.DEPLOYMENTS, WEB);
            awaitRolledOut(fixture);
            fixture.mergePatch(Kinds.DEPLOYMENTS, "web", "{\"spec\":{\"paused\":true}}");
            fixture.cluster.await(
                    Kinds.DEPLOYMENTS,
                    "default",
                    "web",
                    object -> ControllerFixture.conditionIs(object, "Progressing", "Unknown", "DeploymentPaused"));
            setImage(fixture, "web:2");
            fixture.mergePatch(Kinds.DEPLOYMENTS, "web", "{\"spec\":{\"replicas\":5}}");
            fixture.cluster.await(
                    Kinds.DEPLOYMENTS,
                    "default",
                    "web",
                    object -> ControllerFixture.count(object, "readyReplicas") == 5);
            assertThat(fixture.cluster.list(Kinds.PODS, "default"))
                    .allSatisfy(pod -> assertThat(image(pod)).isEqualTo("web:1"));

            fixture.mergePatch(Kinds.DEPLOYMENTS, "web", "{\"spec\":{\"paused\":false}}");
            awaitRevision(fixture, "2");
        }
    }

    @Test
    void saysWhenItIsStuck() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.phases = _ -> "";
            fixture.apply(Kinds.DEPLOYMENTS, WEB.replace("replicas: 3", "replicas: 1\n  progressDeadlineSeconds: 1"));
            ObjectNode stuck = fixture.cluster.await(
                    Kinds.DEPLOYMENTS,
                    "default",
                    "web",
                    object ->
                            ControllerFixture.conditionIs(object, "Progressing", "False", "ProgressDeadlineExceeded"));
            assertThat(ControllerFixture.conditionIs(stuck, "Available", "False", "MinimumReplicasUnavailable"))
                    .isTrue();
        }
    }

    private static void setImage(ControllerFixture fixture, String image) {
        ObjectNode deployment = fixture.client.get(Kinds.DEPLOYMENTS, "default", "web");
        ObjectNode container = (ObjectNode) deployment
                .path("spec")
                .path("template")
                .path("spec")
                .path("containers")
                .get(0);
        container.put("image", image);
        String spec = Json.encodeToString(deployment.path("spec").path("template"));
        fixture.mergePatch(Kinds.DEPLOYMENTS, "web", "{\"spec\":{\"template\":" + spec + "}}");
    }

    private static String image(ObjectNode pod) {
        return pod.path("spec").path("containers").path(0).path("image").asString("");
    }

    private static ObjectNode awaitRolledOut(ControllerFixture fixture) {
        return fixture.cluster.await(
                Kinds.DEPLOYMENTS,
                "default",
                "web",
                object -> DeploymentStatus.complete(object, object.path("status"))
                        && ControllerFixture.conditionIs(object, "Progressing", "True", "NewReplicaSetAvailable"));
    }

    private static ObjectNode awaitRevision(ControllerFixture fixture, String revision) {
        ObjectNode done = fixture.cluster.await(
                Kinds.DEPLOYMENTS,
                "default",
                "web",
                object -> Metadata.annotation(object, Deployments.REVISION).equals(revision)
                        && DeploymentStatus.complete(object, object.path("status")));
        List<ObjectNode> pods = fixture.cluster.awaitAll(
                Kinds.PODS, "default", all -> all.stream().filter(Pods::active).count() == Deployments.replicas(done));
        assertThat(pods).isNotEmpty();
        return done;
    }
}
