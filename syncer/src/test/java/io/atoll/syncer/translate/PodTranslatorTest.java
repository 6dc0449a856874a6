package io.atoll.syncer.translate;

import io.atoll.base.TenantId;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Yaml;
import io.atoll.syncer.config.TenantConfig;
import io.atoll.syncer.translate.PodTranslator.ApiAddress;
import io.atoll.syncer.translate.PodTranslator.Surroundings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class PodTranslatorTest {
    private static final HostObjects OBJECTS =
            new HostObjects(new HostNames(new TenantId("team", "vc")), Optional.empty());
    private static final Surroundings AROUND =
            new Surroundings(Map.of("env", "prod"), Optional.of(new ApiAddress("10.0.0.1", 6443)), Optional.empty());

    private static ObjectNode pod(String spec) {
        ObjectNode pod = Yaml.parse("""
                kind: Pod
                apiVersion: v1
                metadata: {name: web, namespace: ns, uid: u-1, labels: {app: web}, finalizers: [x/y],
                  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u-2, controller: true}],
                  annotations: {note: n, vcluster.loft.sh/object-uid: forged, runai/x: y}}
                """);
        pod.set("spec", Yaml.parse(spec));
        return pod;
    }

    private static ObjectNode translate(String spec, String... sets) {
        TenantConfig config = TenantConfig.load(List.of(), List.of(sets));
        return new PodTranslator(OBJECTS, config).toHost(pod(spec), AROUND);
    }

    private record Row(String name, String spec, String pointer, String expected, List<String> sets) {
        Row(String name, String spec, String pointer, String expected, String... sets) {
            this(name, spec, pointer, expected, List.of(sets));
        }
    }

    @TestFactory
    Stream<DynamicTest> specs() {
        return Stream.of(
                        new Row(
                                "identity",
                                "{serviceAccountName: admin, nodeName: n1}",
                                "/spec/serviceAccountName",
                                "vc-workload-vc"),
                        new Row("no node of its own", "{nodeName: n1}", "/spec/nodeName", "null"),
                        new Row(
                                "no token of the host", "{automountServiceAccountToken: true}",
                                "/spec/automountServiceAccountToken", "false"),
                        new Row(
                                "no priority", "{priorityClassName: system-node-critical, priority: 2000001000}",
                                "/spec/priorityClassName", "null"),
                        new Row(
                                "the default priority",
                                "{}",
                                "/spec/priorityClassName",
                                "low",
                                "sync.toHost.pods.priorityClassName=low"),
                        new Row("hostname", "{}", "/spec/hostname", "web"),
                        new Row("no host DNS", "{dnsPolicy: ClusterFirst}", "/spec/dnsPolicy", "Default"),
                        new Row("own DNS stays", "{dnsPolicy: None}", "/spec/dnsPolicy", "None"),
                        new Row(
                                "image",
                                "{containers: [{name: c, image: a}]}",
                                "/spec/containers/0/image",
                                "b:1",
                                "sync.toHost.pods.translateImage.a=b:1"),
                        new Row(
                                "env from a ConfigMap",
                                "{containers: [{name: c, envFrom: [{configMapRef: {name: m}}]}]}",
                                "/spec/containers/0/envFrom/0/configMapRef/name",
                                "m-x-ns-x-vc"),
                        new Row(
                                "env from a Secret",
                                "{containers: [{name: c, env: [{name: KUBERNETES_PORT, value: mine}, {name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]}]}",
                                "/spec/containers/0/env/8/valueFrom/secretKeyRef/name",
                                "s-x-ns-x-vc"),
                        new Row(
                                "downward API",
                                "{containers: [{name: c, env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]}",
                                "/spec/containers/0/env/8/valueFrom/fieldRef/fieldPath",
                                "metadata.annotations['vcluster.loft.sh/name']"),
                        new Row(
                                "downward label",
                                        "{containers: [{name: c, env: [{name: A, valueFrom: {fieldRef: {fieldPath: \"metadata.labels['app']\"}}}]}]}",
                                "/spec/containers/0/env/8/valueFrom/fieldRef/fieldPath", "metadata.labels['app']"),
                        new Row(
                                "volume", "{volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}",
                                "/spec/volumes/0/persistentVolumeClaim/claimName", "data-x-ns-x-vc"),
                        new Row(
                                "ephemeral volume", "{volumes: [{name: v, ephemeral: {volumeClaimTemplate: {}}}]}",
                                "/spec/volumes/0/persistentVolumeClaim/claimName", "web-v-x-ns-x-vc"),
                        new Row(
                                "root certificate",
                                        "{volumes: [{name: v, projected: {sources: [{configMap: {name: kube-root-ca.crt}}]}}]}",
                                "/spec/volumes/0/projected/sources/0/configMap/name", "vcluster-kube-root-ca.crt-x-vc"),
                        new Row(
                                "token",
                                "{volumes: [{name: v, projected: {sources: [{serviceAccountToken: {path: token, expirationSeconds: 3607}}]}}]}",
                                "/spec/volumes/0/projected/sources/0",
                                "{\"secret\":{\"name\":\"web-x-ns-x-vc.tokens\",\"items\":[{\"key\":\"token-0\",\"path\":\"token\",\"mode\":420}]}}"),
                        new Row(
                                "pull secret",
                                "{imagePullSecrets: [{name: r}]}",
                                "/spec/imagePullSecrets/0/name",
                                "r-x-ns-x-vc"),
                        new Row(
                                "node selector",
                                "{nodeSelector: {a: b, gpu: mine}}",
                                "/spec/nodeSelector",
                                "{\"a\":\"b\",\"gpu\":\"t4\"}",
                                "sync.fromHost.nodes.selector.labels.gpu=t4"),
                        new Row(
                                "enforced tolerations",
                                "{tolerations: [{key: a, operator: Exists}]}",
                                "/spec/tolerations",
                                "[{\"key\":\"a\",\"operator\":\"Exists\"},{\"key\":\"b\",\"operator\":\"Exists\"}]",
                                "sync.toHost.pods.enforceTolerations={a,b}"),
                        new Row(
                                "the template's tolerations are added",
                                "{tolerations: [{key: a, operator: Exists}]}",
                                "/spec/tolerations",
                                "[{\"key\":\"a\",\"operator\":\"Exists\"},{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\"}]",
                                "sync.pods.usePodTemplate=true",
                                "sync.pods.podTemplate.spec.tolerations[0].key=nvidia.com/gpu",
                                "sync.pods.podTemplate.spec.tolerations[0].operator=Exists"),
                        new Row(
                                "the template's fields win",
                                "{schedulerName: mine}",
                                "/spec/schedulerName",
                                "atoll",
                                "sync.pods.podTemplate.spec.schedulerName=atoll"))
                .map(row -> DynamicTest.dynamicTest(row.name(), () -> {
                    JsonNode value = translate(row.spec(), row.sets().toArray(String[]::new))
                            .at(row.pointer());
                    String text = value.isMissingNode() ? "null" : value.asString(Json.encodeToString(value));
                    assertThat(text).isEqualTo(row.expected());
                }));
    }

    @Test
    void metadataIsTheHosts() {
        ObjectNode host = translate(
                "{}",
                "sync.pods.podTemplate.metadata.labels.team=ml",
                "sync.pods.podTemplate.metadata.labels.vcluster\\.loft\\.sh/managed-by=forged");
        assertThat(Metadata.name(host)).isEqualTo("web-x-ns-x-vc");
        assertThat(Metadata.namespace(host)).isEqualTo("team");
        assertThat(host.path("metadata").propertyNames())
                .containsExactlyInAnyOrder("name", "namespace", "labels", "annotations");
        assertThat(Metadata.labels(host))
                .containsEntry("app", "web")
                .containsEntry("team", "ml")
                .containsEntry(Marks.MANAGED_BY, "vc")
                .containsEntry(OBJECTS.names().namespaceLabel("env"), "prod");
        assertThat(Metadata.annotations(host))
                .containsEntry("note", "n")
                .containsEntry(Marks.OBJECT_UID, "u-1")
                .containsEntry(Marks.OBJECT_KIND, "/v1, Kind=Pod")
                .containsEntry(Marks.POD_LABELS, "app=\"web\"")
                .containsEntry(Marks.OWNER_KIND, "Job")
                .containsEntry("cluster-autoscaler.kubernetes.io/safe-to-evict", "true")
                .doesNotContainKey("runai/x");
        assertThat(OBJECTS.isOurs(host)).isTrue();
        Metadata.setName(host, "copy");
        assertThat(OBJECTS.isOurs(host)).isFalse();
    }

    @Test
    void referencesAreFound() {
        PodReferences found = PodReferences.of(pod("""
                imagePullSecrets: [{name: pull}]
                volumes:
                - {name: a, configMap: {name: m1}}
                - {name: b, secret: {secretName: s1}}
                - {name: c, persistentVolumeClaim: {claimName: p1}}
                - {name: d, projected: {sources: [{secret: {name: s2}}, {configMap: {name: m2}}, {serviceAccountToken: {path: t}}]}}
                - {name: e, ephemeral: {}}
                initContainers: [{name: i, envFrom: [{secretRef: {name: s3}}]}]
                containers: [{name: c, env: [{name: x, valueFrom: {configMapKeyRef: {name: m3, key: k}}}]}]
                """));
        assertThat(found.configMaps()).containsExactlyInAnyOrder("m1", "m2", "m3");
        assertThat(found.secrets()).containsExactlyInAnyOrder("pull", "s1", "s2", "s3");
        assertThat(found.claims()).containsExactlyInAnyOrder("p1", "web-e");
        assertThat(found.serviceAccountTokens()).isTrue();
    }

    private record Attack(String name, String spec, String refusal) {}

    @TestFactory
    Stream<DynamicTest> attacks() {
        return Stream.of(
                        new Attack("host network", "{hostNetwork: true}", "hostNetwork"),
                        new Attack("host processes", "{hostPID: true}", "hostPID"),
                        new Attack("host IPC", "{hostIPC: true}", "hostIPC"),
                        new Attack("host folder", "{volumes: [{name: v, hostPath: {path: /}}]}", "hostPath"),
                        new Attack(
                                "privileged",
                                "{containers: [{name: c, securityContext: {privileged: true}}]}",
                                "privileged"),
                        new Attack(
                                "privileged init container",
                                "{initContainers: [{name: c, securityContext: {privileged: true}}]}",
                                "privileged"),
                        new Attack(
                                "capability",
                                "{containers: [{name: c, securityContext: {capabilities: {add: [SYS_ADMIN]}}}]}",
                                "SYS_ADMIN"),
                        new Attack("host port", "{containers: [{name: c, ports: [{hostPort: 22}]}]}", "hostPort"),
                        new Attack(
                                "probe elsewhere",
                                "{containers: [{name: c, livenessProbe: {httpGet: {host: 169.254.169.254, port: 80}}}]}",
                                "httpGet.host"),
                        new Attack("no seccomp", "{securityContext: {seccompProfile: {type: Unconfined}}}", "seccomp"),
                        new Attack(
                                "sysctl",
                                "{securityContext: {sysctls: [{name: kernel.core_pattern, value: x}]}}",
                                "sysctl"),
                        new Attack("other volumes", "{volumes: [{name: v, iscsi: {}}]}", "iscsi is not synced"),
                        new Attack(
                                "trust bundles",
                                "{volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {}}]}}]}",
                                "clusterTrustBundle"),
                        new Attack("claims", "{resourceClaims: [{name: x}]}", "resource claims"))
                .map(attack -> DynamicTest.dynamicTest(
                        attack.name(),
                        () -> assertThat(new PodPolicy(TenantConfig.defaults()).refusals(pod(attack.spec())))
                                .singleElement()
                                .asString()
                                .contains(attack.refusal())));
    }

    @Test
    void ownersMayAllowMore() {
        ObjectNode pod = pod("{volumes: [{name: v, hostPath: {path: /data/x}}]}");
        assertThat(policy("sync.toHost.pods.allowedHostPaths={/data}").refusals(pod))
                .isEmpty();
        assertThat(policy("policies.podSecurityStandard=privileged").refusals(pod))
                .isEmpty();
        for (String bad : List.of("/data/../etc", "/database", "/data/x/../../etc")) {
            assertThat(policy("sync.toHost.pods.allowedHostPaths={/data}")
                            .refusals(pod("{volumes: [{name: v, hostPath: {path: " + bad + "}}]}")))
                    .isNotEmpty();
        }
        assertThat(policy("policies.podSecurityStandard=restricted").refusals(pod("{containers: [{name: c}]}")))
                .singleElement()
                .asString()
                .startsWith("violates PodSecurity \"restricted:latest\": ");
    }

    private static PodPolicy policy(String set) {
        return new PodPolicy(TenantConfig.load(List.of(), List.of(set)));
    }

    @Test
    void statusComesBackWithoutTheHost() {
        ObjectNode tenant = pod("{containers: [{name: c}], readinessGates: [{conditionType: gate}]}");
        tenant.set("status", Yaml.parse("{qosClass: Burstable, conditions: [{type: gate, status: 'True'}]}"));
        ObjectNode host = Yaml.parse("""
                status:
                  phase: Running
                  hostIP: 10.0.0.9
                  podIP: 10.1.0.1
                  qosClass: Guaranteed
                  conditions:
                  - {type: Ready, status: "True"}
                  - {type: gate, status: "False"}
                  - {type: PodScheduled, status: "False", message: "no node for web-x-ns-x-vc"}
                  containerStatuses: [{name: c, ready: true}, {name: sidecar}]
                """);
        ObjectNode status = PodStatus.toTenant(tenant, host, message -> message.replace("-x-ns-x-vc", ""));
        assertThat(status).isEqualTo(Yaml.parse("""
                        phase: Running
                        podIP: 10.1.0.1
                        qosClass: Burstable
                        conditions:
                        - {type: Ready, status: "True"}
                        - {type: PodScheduled, status: "False", message: "no node for web"}
                        - {type: gate, status: "True"}
                        containerStatuses: [{name: c, ready: true}]
                        """));
    }

    @Test
    void nodesShowWhatTheyOfferAndNotWhoTheyAre() {
        ObjectNode host = Yaml.parse("""
                metadata: {name: n1, uid: u, labels: {kubernetes.io/arch: amd64, nvidia.com/gpu.product: Tesla-T4,
                  cloud.google.com/gke-accelerator: nvidia-tesla-t4, topology.kubernetes.io/zone: z, secret: x}}
                spec: {providerID: gce://p, taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}
                status:
                  capacity: {cpu: "8", nvidia.com/gpu: "1"}
                  allocatable: {cpu: 7500m, nvidia.com/gpu: "1"}
                  addresses: [{type: InternalIP, address: 10.0.0.9}]
                  images: [{names: [secret]}]
                  conditions: [{type: Ready, status: "True", reason: KubeletReady, lastHeartbeatTime: a, message: m}]
                  nodeInfo: {machineID: real, architecture: amd64, operatingSystem: linux, kubeletVersion: v1.36.0}
                """);
        ObjectNode node = PseudoNode.of(new TenantId("team", "vc"), host, false);
        assertThat(Metadata.labels(node).keySet())
                .containsExactlyInAnyOrder(
                        "kubernetes.io/arch",
                        "kubernetes.io/hostname",
                        "nvidia.com/gpu.product",
                        "cloud.google.com/gke-accelerator",
                        "vcluster.loft.sh/fake-node");
        assertThat(node.path("spec")).isEmpty();
        assertThat(node.at("/status/allocatable/nvidia.com~1gpu").asString()).isEqualTo("1");
        assertThat(node.toString()).doesNotContain("10.0.0.9", "real", "secret", "gce", "topology");
        ObjectNode later = host.deepCopy();
        ((ObjectNode) later.at("/status/conditions/0")).put("lastHeartbeatTime", "b");
        ObjectNode again = PseudoNode.of(new TenantId("team", "vc"), later, false);
        assertThat(PseudoNode.differ(node.path("status"), again.path("status"))).isFalse();
    }
}
