package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.model.Metadata;
import io.atoll.model.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(90)
final class GarbageCollectorTest {
    private static final String WEB = """
            metadata: {name: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, image: web:1}]}
            """;

    @Test
    void deletesWhatADeploymentOwnedInTheBackground() {
        try (ControllerFixture fixture = deployed()) {
            fixture.client.delete(Kinds.DEPLOYMENTS, "default", "web", Client.DeleteOptions.background());
            fixture.cluster.awaitGone(Kinds.DEPLOYMENTS, "default", "web");
            fixture.cluster.awaitAll(Kinds.REPLICA_SETS, "default", List::isEmpty);
            fixture.cluster.awaitAll(Kinds.PODS, "default", List::isEmpty);
        }
    }

    @Test
    void deletesDependentsFirstInTheForeground() {
        try (ControllerFixture fixture = deployed()) {
            fixture.client.delete(Kinds.DEPLOYMENTS, "default", "web", new Client.DeleteOptions(-1, "Foreground", ""));
            fixture.cluster.awaitGone(Kinds.DEPLOYMENTS, "default", "web");
            assertThat(fixture.cluster.list(Kinds.REPLICA_SETS, "default")).isEmpty();
            assertThat(fixture.cluster.list(Kinds.PODS, "default")).isEmpty();
        }
    }

    @Test
    void leavesOrphansAlone() {
        try (ControllerFixture fixture = deployed()) {
            fixture.client.delete(Kinds.DEPLOYMENTS, "default", "web", new Client.DeleteOptions(-1, "Orphan", ""));
            fixture.cluster.awaitGone(Kinds.DEPLOYMENTS, "default", "web");
            List<ObjectNode> sets = fixture.cluster.list(Kinds.REPLICA_SETS, "default");
            assertThat(sets).hasSize(1);
            assertThat(Metadata.ownerReferences(sets.getFirst())).isEmpty();
            assertThat(fixture.cluster.list(Kinds.PODS, "default")).hasSize(2);
        }
    }

    @Test
    void deletesAnObjectWhoseOwnerNeverExisted() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.CONFIG_MAPS, """
                    metadata:
                      name: lost
                      ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: nobody, uid: no-such-uid}]
                    """);
            fixture.cluster.awaitGone(Kinds.CONFIG_MAPS, "default", "lost");
        }
    }

    @Test
    void keepsWhatStillHasAnOwner() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            ObjectNode owner = fixture.apply(Kinds.CONFIG_MAPS, "metadata: {name: owner}");
            fixture.apply(Kinds.CONFIG_MAPS, """
                    metadata:
                      name: kept
                      ownerReferences:
                      - {apiVersion: v1, kind: ConfigMap, name: nobody, uid: no-such-uid}
                      - {apiVersion: v1, kind: ConfigMap, name: owner, uid: UID}
                    """.replace("UID", Metadata.uid(owner)));
            ObjectNode kept = fixture.cluster.await(
                    Kinds.CONFIG_MAPS,
                    "default",
                    "kept",
                    map -> Metadata.ownerReferences(map).size() == 1);
            assertThat(Metadata.ownerReferences(kept).getFirst().uid()).isEqualTo(Metadata.uid(owner));
            fixture.client.delete(Kinds.CONFIG_MAPS, "default", "owner", Client.DeleteOptions.DEFAULT);
            fixture.cluster.awaitGone(Kinds.CONFIG_MAPS, "default", "kept");
        }
    }

    @Test
    void followsCustomTypesAsTheyCome() {
        ResourceType widgets = ResourceType.of("example.com", "v1", "widgets", "Widget", true);
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.CUSTOM_RESOURCE_DEFINITIONS, """
                    metadata: {name: widgets.example.com}
                    spec:
                      group: example.com
                      scope: Namespaced
                      names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
                      versions:
                      - name: v1
                        served: true
                        storage: true
                        schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                    """);
            fixture.cluster.await(
                    Kinds.CUSTOM_RESOURCE_DEFINITIONS,
                    "",
                    "widgets.example.com",
                    definition -> Conditions.isTrue(definition.path("status"), "Established"));
            ObjectNode owner = fixture.apply(widgets, "metadata: {name: owner}");
            String reference = "ownerReferences: [{apiVersion: example.com/v1, kind: Widget, name: owner, uid: "
                    + Metadata.uid(owner) + "}]";
            fixture.apply(widgets, "metadata: {name: part, " + reference + "}");
            fixture.apply(Kinds.CONFIG_MAPS, "metadata: {name: part, " + reference + "}");
            fixture.client.delete(widgets, "default", "owner", Client.DeleteOptions.DEFAULT);
            fixture.cluster.awaitGone(Kinds.CONFIG_MAPS, "default", "part");
            fixture.cluster.awaitGone(widgets, "default", "part");
        }
    }

    private static ControllerFixture deployed() {
        ControllerFixture fixture = new ControllerFixture();
        fixture.apply(Kinds.DEPLOYMENTS, WEB);
        fixture.cluster.await(
                Kinds.DEPLOYMENTS,
                "default",
                "web",
                object -> ControllerFixture.count(object, "availableReplicas") == 2);
        return fixture;
    }
}
