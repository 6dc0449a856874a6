package io.atoll.controllers;

import io.atoll.model.Metadata;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(90)
final class StatefulSetControllerTest {
    private static final String DB = """
            metadata: {name: db}
            spec:
              replicas: 3
              serviceName: db
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec: {containers: [{name: main, image: db:1}]}
              volumeClaimTemplates:
              - metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    @Test
    void createsInOrderUpdatesDownwardsAndKeepsClaims() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.phases = _ -> "";
            ObjectNode set = fixture.apply(Kinds.STATEFUL_SETS, DB);
            fixture.cluster.await(Kinds.PODS, "default", "db-0", pod -> ControllerFixture.ownedBy(pod, set));
            fixture.cluster.await(
                    Kinds.STATEFUL_SETS, "default", "db", object -> ControllerFixture.count(object, "replicas") == 1);
            assertThat(fixture.cluster.list(Kinds.PODS, "default")).hasSize(1);

            fixture.phases = _ -> "Running";
            fixture.kubelet.lookAgain();
            ObjectNode ready = awaitReady(fixture, 3);
            ObjectNode pod = fixture.client.get(Kinds.PODS, "default", "db-2");
            assertThat(Metadata.label(pod, "statefulset.kubernetes.io/pod-name"))
                    .isEqualTo("db-2");
            assertThat(Metadata.label(pod, "apps.kubernetes.io/pod-index")).isEqualTo("2");
            assertThat(pod.path("spec").path("hostname").asString("")).isEqualTo("db-2");
            assertThat(pod.path("spec").path("subdomain").asString("")).isEqualTo("db");
            assertThat(fixture.cluster.list(Kinds.PERSISTENT_VOLUME_CLAIMS, "default"))
                    .extracting(claim -> Metadata.name(claim))
                    .containsExactlyInAnyOrder("data-db-0", "data-db-1", "data-db-2");
            String revision = ready.path("status").path("currentRevision").asString("");
            assertThat(revision)
                    .isEqualTo(ready.path("status").path("updateRevision").asString("x"));

            fixture.mergePatch(
                    Kinds.STATEFUL_SETS,
                    "db",
                    "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"db:2\"}]}}}}");
            fixture.cluster.await(
                    Kinds.STATEFUL_SETS,
                    "default",
                    "db",
                    object -> ControllerFixture.count(object, "updatedReplicas") == 3
                            && ControllerFixture.count(object, "readyReplicas") == 3
                            && !object.path("status")
                                    .path("currentRevision")
                                    .asString("")
                                    .equals(revision));
            assertThat(fixture.cluster.list(Kinds.CONTROLLER_REVISIONS, "default"))
                    .hasSize(2);

            fixture.mergePatch(Kinds.STATEFUL_SETS, "db", "{\"spec\":{\"replicas\":1}}");
            fixture.cluster.awaitAll(Kinds.PODS, "default", pods -> pods.size() == 1);
            assertThat(fixture.cluster.list(Kinds.PERSISTENT_VOLUME_CLAIMS, "default"))
                    .hasSize(3);
        }
    }

    private static ObjectNode awaitReady(ControllerFixture fixture, int count) {
        ObjectNode set = fixture.cluster.await(
                Kinds.STATEFUL_SETS,
                "default",
                "db",
                object -> ControllerFixture.count(object, "readyReplicas") == count
                        && ControllerFixture.count(object, "updatedReplicas") == count);
        List<ObjectNode> pods = fixture.cluster.list(Kinds.PODS, "default");
        assertThat(pods).hasSize(count);
        return set;
    }
}
