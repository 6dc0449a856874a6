package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Yaml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
final class NamespaceControllerTest {
    @Test
    void furnishesANamespaceAndClearsItOut() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.NAMESPACES, "metadata: {name: team}");
            fixture.cluster.await(Kinds.SERVICE_ACCOUNTS, "team", "default", _ -> true);
            ObjectNode ca = fixture.cluster.await(Kinds.CONFIG_MAPS, "team", "kube-root-ca.crt", _ -> true);
            assertThat(ca.path("data").path("ca.crt").asString("")).isEqualTo(ControllerFixture.CA);

            fixture.client.delete(Kinds.CONFIG_MAPS, "team", "kube-root-ca.crt", Client.DeleteOptions.DEFAULT);
            fixture.cluster.await(
                    Kinds.CONFIG_MAPS,
                    "team",
                    "kube-root-ca.crt",
                    map -> !Metadata.uid(map).equals(Metadata.uid(ca)));

            fixture.client.create(
                    Kinds.CONFIG_MAPS,
                    "team",
                    Yaml.parse("metadata: {name: held, finalizers: [example.com/hold]}")
                            .put("apiVersion", "v1")
                            .put("kind", "ConfigMap"));
            fixture.client.delete(Kinds.NAMESPACES, "", "team", Client.DeleteOptions.DEFAULT);
            ObjectNode waiting = fixture.cluster.await(
                    Kinds.NAMESPACES,
                    "",
                    "team",
                    namespace -> ControllerFixture.conditionIs(
                            namespace, "NamespaceFinalizersRemaining", "True", "SomeFinalizersRemain"));
            assertThat(waiting.path("status").path("phase").asString("")).isEqualTo("Terminating");
            assertThat(Conditions.find(waiting.path("status"), "NamespaceFinalizersRemaining")
                            .orElseThrow()
                            .path("message")
                            .asString(""))
                    .isEqualTo("Some content in the namespace has finalizers remaining: "
                            + "example.com/hold in 1 resource instances");

            fixture.client.patch(
                    Kinds.CONFIG_MAPS,
                    "team",
                    "held",
                    "",
                    Client.PatchType.MERGE,
                    Json.parse("{\"metadata\":{\"finalizers\":null}}"));
            fixture.cluster.awaitGone(Kinds.NAMESPACES, "", "team");
            assertThat(fixture.cluster.list(Kinds.SERVICE_ACCOUNTS, "team")).isEmpty();
        }
    }

    @Test
    void aggregatesClusterRoles() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.CLUSTER_ROLES, """
                    metadata: {name: sum}
                    aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: "yes"}}]}
                    rules: []
                    """);
            fixture.apply(Kinds.CLUSTER_ROLES, """
                    metadata: {name: part-a, labels: {part: "yes"}}
                    rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
                    """);
            fixture.cluster.await(
                    Kinds.CLUSTER_ROLES, "", "sum", role -> role.path("rules").size() == 1);
        }
    }

    @Test
    void writesEndpointsOfReadyPods() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.SERVICES, """
                    metadata: {name: web}
                    spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: http}]}
                    """);
            fixture.cluster.awaitAll(
                    Kinds.ENDPOINT_SLICES,
                    "default",
                    slices -> slices.stream()
                            .anyMatch(slice -> Metadata.label(slice, "kubernetes.io/service-name")
                                    .equals("web")));
            fixture.apply(Kinds.PODS, """
                    metadata: {name: one, labels: {app: web}}
                    spec: {containers: [{name: main, image: web:1, ports: [{name: http, containerPort: 8080}]}]}
                    """);
            ObjectNode endpoints = fixture.cluster.await(
                    Kinds.ENDPOINTS,
                    "default",
                    "web",
                    object -> object.path("subsets").path(0).path("addresses").size() == 1);
            assertThat(endpoints
                            .path("subsets")
                            .path(0)
                            .path("ports")
                            .path(0)
                            .path("port")
                            .asInt())
                    .isEqualTo(8080);
            fixture.cluster.awaitAll(
                    Kinds.ENDPOINT_SLICES,
                    "default",
                    slices -> slices.stream()
                            .filter(slice -> Metadata.label(slice, "kubernetes.io/service-name")
                                    .equals("web"))
                            .allMatch(slice -> slice.path("endpoints")
                                    .path(0)
                                    .path("conditions")
                                    .path("ready")
                                    .asBoolean(false)));
        }
    }
}
