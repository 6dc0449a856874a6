package io.atoll.model.patch;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Yaml;
import io.atoll.model.schema.Defaults;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.Schemas;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Ownership on the real types, as a Kubernetes API server records it. */
class BuiltInApplyTest {
    private static final Schema DEPLOYMENT =
            Schemas.find(new GroupVersionKind("apps", "v1", "Deployment")).orElseThrow();

    private static ServerSideApply.Write write(String manager) {
        return new ServerSideApply.Write(
                manager, "apps/v1", "", FieldSet.of("status"), Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void whatKubectlCreateDeploymentOwns() {
        ObjectNode object = Yaml.parse("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: nginx, labels: {app: nginx}}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: nginx}}
                  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}
                  revisionHistoryLimit: 10
                  progressDeadlineSeconds: 600
                  template:
                    metadata: {labels: {app: nginx}}
                    spec:
                      containers: [{image: nginx, imagePullPolicy: Always, name: nginx, resources: {}}]
                """);
        Defaults.apply(DEPLOYMENT, object);
        ServerSideApply.track(DEPLOYMENT, null, object, write("kubectl-create"));
        assertThat(object.at("/metadata/managedFields/0/fieldsV1")).isEqualTo(Json.parse("""
                        {"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:progressDeadlineSeconds":{},
                        "f:replicas":{},"f:revisionHistoryLimit":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":
                        {".":{},"f:maxSurge":{},"f:maxUnavailable":{}},"f:type":{}},"f:template":{"f:metadata":
                        {"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\\"name\\":\\"nginx\\"}":{".":{},
                        "f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},
                        "f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},
                        "f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}
                        """));
    }

    @Test
    void helmUpgradesAndRollsBack() {
        ObjectNode live = apply(
                null,
                "replicas: 1, template: {spec: {containers: [{name: a, image: x, ports: [{containerPort: 80}]}, {name: b, image: y}]}}");
        Defaults.apply(DEPLOYMENT, live);
        ObjectNode next = apply(
                live,
                "replicas: 2, template: {spec: {containers: [{name: a, image: z, ports: [{containerPort: 81}]}]}}");
        assertThat(next.at("/spec/template/spec/containers")).hasSize(1);
        assertThat(next.at("/spec/template/spec/containers/0/ports")).hasSize(1);
        assertThat(next.at("/spec/template/spec/containers/0/ports/0/containerPort")
                        .asInt())
                .isEqualTo(81);
        assertThat(next.at("/spec/template/spec/containers/0/terminationMessagePolicy")
                        .asString())
                .isEqualTo("File");
        ObjectNode scaled = next.deepCopy();
        ((ObjectNode) scaled.path("spec")).put("replicas", 9);
        ServerSideApply.track(DEPLOYMENT, next, scaled, write("hpa"));
        assertThatThrownBy(() -> apply(scaled, "replicas: 2"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"hpa\" using apps/v1: .spec.replicas");
        ObjectNode back = apply(scaled, "paused: true");
        assertThat(back.at("/spec/replicas").asInt()).isEqualTo(9);
        assertThat(Metadata.name(back)).isEqualTo("web");
    }

    @Test
    void unknownFieldsAreRefused() {
        assertThatThrownBy(() -> apply(null, "nonsense: 1"))
                .hasMessage("failed to create typed patch object (ns/web; apps/v1, Kind=Deployment): .spec.nonsense:"
                        + " field not declared in schema");
    }

    @Test
    void strategicPatchesKnowTheRealKeys() {
        ObjectNode patched = StrategicMergePatch.apply(DEPLOYMENT, Yaml.parse("""
                        spec: {template: {spec: {containers: [{name: a, image: x, env: [{name: A, value: "1"}]}],
                          volumes: [{name: v, emptyDir: {}}], tolerations: [{key: k}]}}}
                        """), Yaml.parse("""
                        spec: {template: {spec: {containers: [{name: a, env: [{name: B, value: "2"}]}],
                          volumes: [{name: v, $retainKeys: [name, configMap], configMap: {name: m}}],
                          tolerations: [{key: l}]}}}
                        """));
        assertThat(patched).isEqualTo(Yaml.parse("""
                        spec: {template: {spec: {containers: [{name: a, image: x, env: [{name: A, value: "1"}, {name: B, value: "2"}]}],
                          volumes: [{name: v, configMap: {name: m}}], tolerations: [{key: l}]}}}
                        """));
    }

    private static ObjectNode apply(@org.jspecify.annotations.Nullable ObjectNode live, String spec) {
        ObjectNode object = Yaml.parse(
                "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: ns}, spec: {" + spec + "}}");
        return ServerSideApply.apply(DEPLOYMENT, live, object, write("helm"), false);
    }
}
