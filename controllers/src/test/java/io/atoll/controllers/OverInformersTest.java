package io.atoll.controllers;

import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.client.Informers;
import io.atoll.model.Metadata;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The same controllers, reading a copy instead of the server's own cache, as over HTTP. */
@Timeout(90)
final class OverInformersTest {
    @Test
    void rollOutAndCollect() {
        try (ControllerFixture fixture = new ControllerFixture(
                BuiltInControllers.Options.all(ControllerFixture.CA),
                (cluster, _) -> new Informers(cluster.client(), Timers.system()))) {
            fixture.apply(Kinds.DEPLOYMENTS, """
                    metadata: {name: web}
                    spec:
                      replicas: 5
                      selector: {matchLabels: {app: web}}
                      template:
                        metadata: {labels: {app: web}}
                        spec: {containers: [{name: main, image: web:1}]}
                    """);
            fixture.cluster.await(
                    Kinds.DEPLOYMENTS,
                    "default",
                    "web",
                    object -> ControllerFixture.count(object, "availableReplicas") == 5);
            fixture.mergePatch(
                    Kinds.DEPLOYMENTS,
                    "web",
                    "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"restarted\":\"yes\"}}}}}");
            fixture.cluster.await(
                    Kinds.DEPLOYMENTS,
                    "default",
                    "web",
                    object -> Metadata.annotation(object, Deployments.REVISION).equals("2")
                            && DeploymentStatus.complete(object, object.path("status")));
            assertThat(fixture.cluster.list(Kinds.REPLICA_SETS, "default")).hasSize(2);
            fixture.client.delete(Kinds.DEPLOYMENTS, "default", "web", Client.DeleteOptions.background());
            fixture.cluster.awaitAll(Kinds.REPLICA_SETS, "default", List::isEmpty);
            fixture.cluster.awaitAll(Kinds.PODS, "default", List::isEmpty);
        }
    }
}
