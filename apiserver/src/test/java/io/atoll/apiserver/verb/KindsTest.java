package io.atoll.apiserver.verb;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class KindsTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

    @TempDir
    Path folder;

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture(folder);
        api.post(
                "/api/v1/namespaces/default/serviceaccounts",
                "{apiVersion: v1, kind: ServiceAccount, metadata: {name: default}}");
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static String pod(String name) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: " + name
                + "}, spec: {containers: [{name: main, image: busybox}]}}";
    }

    @Test
    void aPodIsDefaultedBoundAndDeletedWithGrace() {
        ApiFixture.Answer pod = api.post(PODS, pod("one"));
        assertThat(pod.status()).as(pod.body().toString()).isEqualTo(201);
        assertThat(pod.text("status", "phase")).isEqualTo("Pending");
        assertThat(pod.text("status", "qosClass")).isEqualTo("BestEffort");
        assertThat(pod.text("spec", "restartPolicy")).isEqualTo("Always");
        assertThat(pod.text("spec", "serviceAccountName")).isEqualTo("default");
        assertThat(pod.body()
                        .path("spec")
                        .path("containers")
                        .get(0)
                        .path("imagePullPolicy")
                        .asString())
                .isEqualTo("Always");
        assertThat(pod.body().path("spec").path("volumes")).hasSize(1);

        String binding = "{apiVersion: v1, kind: Binding, metadata: {name: one}, target: {kind: Node, name: n1}}";
        assertThat(api.post(PODS + "/one/binding", binding).status()).isEqualTo(201);
        assertThat(api.post(PODS + "/one/binding", binding).status()).isEqualTo(409);
        assertThat(api.get(PODS + "/one").text("spec", "nodeName")).isEqualTo("n1");
        assertThat(api.get(PODS + "/one")
                        .body()
                        .path("status")
                        .path("conditions")
                        .get(0)
                        .path("type")
                        .asString())
                .isEqualTo("PodScheduled");

        ApiFixture.Answer marked = api.delete(PODS + "/one");
        assertThat(marked.body()
                        .path("metadata")
                        .path("deletionGracePeriodSeconds")
                        .asInt())
                .isEqualTo(30);
        assertThat(api.delete(PODS + "/one?gracePeriodSeconds=0").status()).isEqualTo(200);
        assertThat(api.get(PODS + "/one").status()).isEqualTo(404);
    }

    @Test
    void aBindingMayAlsoBePostedToItsCollection() {
        api.post(PODS, pod("one"));
        ApiFixture.Answer bound = api.post(
                "/api/v1/namespaces/default/bindings",
                "{apiVersion: v1, kind: Binding, metadata: {name: one}, target: {kind: Node, name: n1}}");
        assertThat(bound.status()).as(bound.body().toString()).isEqualTo(201);
        assertThat(api.get(PODS + "/one").text("spec", "nodeName")).isEqualTo("n1");
    }

    @Test
    void aPodThatWaitsForANodeGoesAtOnce() {
        api.post(PODS, pod("one"));
        api.delete(PODS + "/one");
        assertThat(api.get(PODS + "/one").status()).isEqualTo(404);
    }

    @Test
    void aPodsStatusIsWrittenApart() {
        ObjectNode pod = api.post(PODS, pod("one")).body();
        ((ObjectNode) pod.path("status")).put("phase", "Running");
        ((ObjectNode) pod.path("spec")).put("nodeName", "elsewhere");
        ApiFixture.Answer answer = api.put(PODS + "/one/status", pod);
        assertThat(answer.text("status", "phase")).isEqualTo("Running");
        assertThat(answer.text("spec", "nodeName")).isEmpty();
    }

    @Test
    void everyMistakeIsNamedAtOnce() {
        ApiFixture.Answer answer = api.post(
                "/apis/apps/v1/namespaces/default/deployments",
                "{apiVersion: apps/v1, kind: Deployment, metadata: {name: Bad}, spec: {replicas: -1, selector:"
                        + " {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}, spec: {containers: [{name:"
                        + " x}]}}}}");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text("reason")).isEqualTo("Invalid");
        assertThat(answer.body().path("details").path("causes")).hasSize(4);
        assertThat(answer.text("message"))
                .startsWith(
                        "Deployment.apps \"Bad\" is invalid: [metadata.name: Invalid value: \"Bad\": a lowercase RFC"
                                + " 1123 subdomain")
                .contains("spec.replicas: Invalid value: -1: must be greater than or equal to 0")
                .contains(
                        "spec.template.metadata.labels: Invalid value: {\"a\":\"c\"}: `selector` does not match template"
                                + " `labels`")
                .contains("spec.template.spec.containers[0].image: Required value");
    }

    @Test
    void aDeploymentScales() {
        String deployments = "/apis/apps/v1/namespaces/default/deployments";
        ApiFixture.Answer created = api.post(
                deployments,
                "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {a: b}},"
                        + " template: {metadata: {labels: {a: b}}, spec: {containers: [{name: x, image: y}]}}}}");
        assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
        assertThat(created.body().path("metadata").path("generation").asInt()).isEqualTo(1);
        ApiFixture.Answer scale =
                api.patch(deployments + "/web/scale", "application/merge-patch+json", "{\"spec\":{\"replicas\":3}}");
        assertThat(scale.text("kind")).isEqualTo("Scale");
        assertThat(scale.text("status", "selector")).isEqualTo("a=b");
        ApiFixture.Answer scaled = api.get(deployments + "/web");
        assertThat(scaled.body().path("spec").path("replicas").asInt()).isEqualTo(3);
        assertThat(scaled.body().path("metadata").path("generation").asInt()).isEqualTo(2);
    }

    @Test
    void servicesGetAddressesOfTheirOwn() {
        String services = "/api/v1/namespaces/default/services";
        ApiFixture.Answer one = api.post(
                services,
                "{apiVersion: v1, kind: Service, metadata: {name: one}, spec: {type: NodePort, ports: [{port: 80}]}}");
        assertThat(one.status()).as(one.body().toString()).isEqualTo(201);
        assertThat(one.text("spec", "clusterIP")).startsWith("10.96.");
        assertThat(one.body().path("spec").path("ports").get(0).path("nodePort").asInt())
                .isBetween(30000, 32767);
        ApiFixture.Answer two = api.post(
                services, "{apiVersion: v1, kind: Service, metadata: {name: two}, spec: {ports: [{port: 80}]}}");
        assertThat(two.text("spec", "clusterIP")).isNotEqualTo(one.text("spec", "clusterIP"));
        ApiFixture.Answer patched = api.patch(
                services + "/two", "application/strategic-merge-patch+json", "{\"spec\":{\"selector\":{\"a\":\"b\"}}}");
        assertThat(patched.text("spec", "clusterIP")).isEqualTo(two.text("spec", "clusterIP"));
    }

    @Test
    void aNamespaceIsHeldUntilItIsFinalized() {
        assertThat(api.post("/api/v1/namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: team}}")
                        .text("status", "phase"))
                .isEqualTo("Active");
        assertThat(api.delete("/api/v1/namespaces/team").text("status", "phase"))
                .isEqualTo("Terminating");
        ApiFixture.Answer refused = api.post(
                "/api/v1/namespaces/team/configmaps", "{apiVersion: v1, kind: ConfigMap, metadata: {name: late}}");
        assertThat(refused.status()).isEqualTo(403);
        ObjectNode namespace = api.get("/api/v1/namespaces/team").body();
        ((ObjectNode) namespace.path("spec")).putArray("finalizers");
        api.put("/api/v1/namespaces/team/finalize", namespace);
        assertThat(api.get("/api/v1/namespaces/team").status()).isEqualTo(404);
        assertThat(api.delete("/api/v1/namespaces/default").status()).isEqualTo(403);
        assertThat(api.post(
                                "/api/v1/namespaces/nowhere/configmaps",
                                "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}")
                        .text("message"))
                .isEqualTo("namespaces \"nowhere\" not found");
    }

    @Test
    void aDefinitionIsServedAtOnceAndTakesItsObjectsAlong() {
        ApiFixture.Answer definition = api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: widgets, kind: Widget, shortNames: [wd]}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
                    selectableFields: [{jsonPath: .spec.color}]
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            required: [color]
                            properties:
                              color: {type: string}
                              size: {type: integer, default: 2, minimum: 0}
                          status:
                            type: object
                            properties: {size: {type: integer}}
                  - name: v1beta1
                    served: true
                    storage: false
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """);
        assertThat(definition.status()).as(definition.body().toString()).isEqualTo(201);
        ApiFixture.Answer widget = api.post(
                WIDGETS,
                "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {color: red, unknown: 1}}");
        assertThat(widget.status()).as(widget.body().toString()).isEqualTo(201);
        assertThat(widget.body().path("spec").path("size").asInt()).isEqualTo(2);
        assertThat(widget.body().path("spec").has("unknown")).isFalse();
        assertThat(widget.headers()).containsKey("Warning");
        assertThat(api.post(
                                WIDGETS,
                                "{apiVersion: example.com/v1, kind: Widget, metadata: {name: x}, spec: {size: -1}}")
                        .body()
                        .path("details")
                        .path("causes"))
                .hasSize(2);
        assertThat(api.get(WIDGETS.replace("v1", "v1beta1") + "/w").text("apiVersion"))
                .isEqualTo("example.com/v1beta1");
        assertThat(api.get(WIDGETS + "?fieldSelector=spec.color=red").body().path("items"))
                .hasSize(1);
        api.patch(WIDGETS + "/w/scale", "application/merge-patch+json", "{\"spec\":{\"replicas\":5}}");
        assertThat(api.get(WIDGETS + "/w").body().path("spec").path("size").asInt())
                .isEqualTo(5);

        api.delete("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com");
        await(() -> api.get(WIDGETS).status() == 404);
    }

    @Test
    void strictValidationRefusesUnknownFields() {
        String yaml = "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, dta: {a: b}}";
        ApiFixture.Answer refused = api.post("/api/v1/namespaces/default/configmaps?fieldValidation=Strict", yaml);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("message")).contains("strict decoding error: unknown field \"dta\"");
        assertThat(api.post("/api/v1/namespaces/default/configmaps", yaml).headers())
                .containsEntry("Warning", "299 - \"unknown field \\\"dta\\\"\"");
    }

    @Test
    void eventsAreTheSameInBothGroups() {
        api.post(
                "/api/v1/namespaces/default/events",
                "{apiVersion: v1, kind: Event, metadata: {name: e}, involvedObject: {kind: Pod, name: p, namespace:"
                        + " default}, message: hello, reason: Because, type: Normal}");
        ApiFixture.Answer event = api.get("/apis/events.k8s.io/v1/namespaces/default/events/e");
        assertThat(event.text("note")).isEqualTo("hello");
        assertThat(event.text("regarding", "name")).isEqualTo("p");
        assertThat(event.text("apiVersion")).isEqualTo("events.k8s.io/v1");
    }

    @Test
    void yamlAndProtobufAreSpoken() {
        ApiFixture.Answer yaml =
                api.send("GET", "/api/v1/namespaces/default", null, Map.of("accept", "application/yaml"));
        assertThat(yaml.text("text")).contains("kind: Namespace");
        ApiFixture.Answer protobuf = api.send(
                "GET",
                "/api/v1/namespaces",
                null,
                Map.of("accept", "application/vnd.kubernetes.protobuf,application/json"));
        assertThat(protobuf.text("text")).startsWith("k8s");
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }
}
