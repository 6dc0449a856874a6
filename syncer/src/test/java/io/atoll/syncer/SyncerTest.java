package io.atoll.syncer;

import io.atoll.apiserver.StandardExtensions;
import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.pki.CertificateAuthority;
import io.atoll.base.TenantId;
import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Yaml;
import io.atoll.model.pod.ByteSink;
import io.atoll.model.pod.ExecOptions;
import io.atoll.model.pod.ExecStreams;
import io.atoll.model.pod.LogOptions;
import io.atoll.model.pod.PodStreams;
import io.atoll.model.schema.BuiltInTypes;
import io.atoll.syncer.config.TenantConfig;
import io.atoll.syncer.translate.Marks;
import io.atoll.syncer.translate.PodTranslator.ApiAddress;
import io.atoll.testkit.ManualTimers;
import io.atoll.testkit.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two real API servers, and a test in the place of the host's scheduler and node agent. */
class SyncerTest {
    private static final TenantId ID = new TenantId("team", "vc");

    private static final KeyPair KEYS = CertificateAuthority.newKeyPair();

    private final ManualTimers timers = new ManualTimers(Instant.parse("2026-01-01T00:00:00Z"));
    private TestCluster host;
    private TestCluster tenant;
    private Syncer syncer;

    @BeforeEach
    void start() {
        host = TestCluster.start();
        tenant = TestCluster.start(
                ID,
                options -> options.withExtensions(StandardExtensions.of(context ->
                        new ServiceAccountTokens("https://vc", KEYS, List.of(), context.objects(), timers))));
        namespace(host, "team");
        namespace(tenant, "ns");
        account(tenant, "ns", "default");
        create(host, "", """
                kind: Node
                apiVersion: v1
                metadata: {name: n1, labels: {nvidia.com/gpu.product: Tesla-T4, zone: z}}
                status:
                  capacity: {cpu: "8", memory: 16Gi, pods: "110", nvidia.com/gpu: "1"}
                  allocatable: {cpu: "8", memory: 16Gi, pods: "110", nvidia.com/gpu: "1"}
                  conditions: [{type: Ready, status: "True", reason: KubeletReady}]
                """);
        syncer = start(TenantConfig.defaults());
    }

    @AfterEach
    void stop() {
        syncer.close();
        tenant.close();
        host.close();
    }

    private Syncer start(TenantConfig config) {
        return Syncer.start(
                ID,
                tenant.client(),
                tenant.cache(),
                host.client(),
                new HostFeed(host.cache()).of(ID.namespace()),
                config,
                new SyncerOptions(Optional.of(new ApiAddress("10.0.0.1", 6443)), Optional.empty(), timers));
    }

    private static void namespace(TestCluster cluster, String name) {
        create(cluster, "", "kind: Namespace\napiVersion: v1\nmetadata: {name: " + name + ", labels: {env: prod}}");
    }

    private static void account(TestCluster cluster, String namespace, String name) {
        create(cluster, namespace, "kind: ServiceAccount\napiVersion: v1\nmetadata: {name: " + name + "}");
    }

    private static ObjectNode create(TestCluster cluster, String namespace, String yaml) {
        ObjectNode object = Yaml.parse(yaml);
        return cluster.client()
                .create(
                        BuiltInTypes.find(
                                        "",
                                        "v1",
                                        object.path("kind").asString().toLowerCase(java.util.Locale.ROOT) + "s")
                                .orElseThrow(),
                        namespace,
                        object);
    }

    private ObjectNode pod(String name, String spec) {
        ObjectNode pod = Yaml.parse("kind: Pod\napiVersion: v1\nmetadata: {name: " + name + "}");
        pod.set("spec", Yaml.parse(spec));
        return tenant.client().create(BuiltInTypes.PODS, "ns", pod);
    }

    private ObjectNode onHost(String name) {
        return host.await(BuiltInTypes.PODS, "team", name + "-x-ns-x-vc", _ -> true);
    }

    private void schedule(String hostName) {
        ObjectNode binding = Yaml.parse("{kind: Binding, apiVersion: v1, target: {kind: Node, name: n1}}");
        Metadata.setName(binding, hostName);
        host.client().createSubresource(BuiltInTypes.PODS, "team", hostName, "binding", binding);
    }

    private ObjectNode report(String hostName, String status) {
        ObjectNode pod = host.client().get(BuiltInTypes.PODS, "team", hostName);
        pod.set("status", Yaml.parse(status));
        return host.client().updateStatus(BuiltInTypes.PODS, pod);
    }

    private ObjectNode event(String pod, String reason) {
        List<ObjectNode> events = tenant.awaitAll(
                BuiltInTypes.EVENTS,
                "ns",
                all -> all.stream()
                        .anyMatch(event -> event.path("reason").asString("").equals(reason)
                                && event.at("/involvedObject/name").asString("").equals(pod)));
        return events.stream()
                .filter(event -> event.path("reason").asString("").equals(reason))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPodLivesOnTheHostAndIsSeenInTheTenant() {
        create(tenant, "ns", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: settings}\ndata: {a: b}");
        create(tenant, "ns", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: unused}\ndata: {a: b}");
        create(tenant, "ns", "kind: Secret\napiVersion: v1\nmetadata: {name: keys}\ndata: {k: dg==}");
        pod(
                "web",
                "{containers: [{name: c, image: i, envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: keys}}], resources: {limits: {nvidia.com/gpu: 1}}}]}");

        ObjectNode hostPod = onHost("web");
        assertThat(hostPod.at("/spec/serviceAccountName").asString()).isEqualTo("vc-workload-vc");
        assertThat(hostPod.at("/spec/containers/0/envFrom/0/configMapRef/name").asString())
                .isEqualTo("settings-x-ns-x-vc");
        assertThat(host.await(BuiltInTypes.CONFIG_MAPS, "team", "settings-x-ns-x-vc", _ -> true)
                        .path("data"))
                .isEqualTo(Yaml.parse("{a: b}"));
        assertThat(host.await(BuiltInTypes.SECRETS, "team", "keys-x-ns-x-vc", _ -> true)
                        .path("data"))
                .isEqualTo(Yaml.parse("{k: dg==}"));
        assertThat(host.client().find(BuiltInTypes.CONFIG_MAPS, "team", "unused-x-ns-x-vc"))
                .isEmpty();

        schedule("web-x-ns-x-vc");
        tenant.await(
                BuiltInTypes.PODS,
                "ns",
                "web",
                pod -> pod.at("/spec/nodeName").asString("").equals("n1"));
        ObjectNode node = tenant.await(
                BuiltInTypes.NODES,
                "",
                "n1",
                found -> found.at("/status/allocatable").size() > 0);
        assertThat(node.at("/status/allocatable/nvidia.com~1gpu").asString()).isEqualTo("1");
        assertThat(Metadata.labels(node))
                .containsEntry("nvidia.com/gpu.product", "Tesla-T4")
                .doesNotContainKey("zone");

        report("web-x-ns-x-vc", """
                {phase: Running, hostIP: 10.9.9.9, podIP: 10.1.1.1, conditions: [{type: Ready, status: "True"}, {type: PodScheduled, status: "True"}],
                 containerStatuses: [{name: c, ready: true, restartCount: 0, image: i, imageID: "", state: {running: {}}}]}
                """);
        ObjectNode running = tenant.await(
                BuiltInTypes.PODS,
                "ns",
                "web",
                pod -> pod.at("/status/phase").asString("").equals("Running"));
        assertThat(running.at("/status/podIP").asString()).isEqualTo("10.1.1.1");
        assertThat(running.path("status").has("hostIP")).isFalse();
    }

    @Test
    void deletionGoesBothWays() {
        pod("web", "{containers: [{name: c, image: i}]}");
        onHost("web");
        schedule("web-x-ns-x-vc");
        report("web-x-ns-x-vc", "{phase: Running, conditions: [{type: PodScheduled, status: 'True'}]}");
        tenant.await(
                BuiltInTypes.PODS,
                "ns",
                "web",
                pod -> pod.at("/status/phase").asString("").equals("Running"));

        tenant.client().delete(BuiltInTypes.PODS, "ns", "web", new Client.DeleteOptions(5, "", ""));
        ObjectNode ending = host.await(BuiltInTypes.PODS, "team", "web-x-ns-x-vc", Metadata::deleting);
        assertThat(ending.at("/metadata/deletionGracePeriodSeconds").asLong()).isEqualTo(5);
        assertThat(tenant.client().find(BuiltInTypes.PODS, "ns", "web")).isPresent();
        host.client().delete(BuiltInTypes.PODS, "team", "web-x-ns-x-vc", new Client.DeleteOptions(0, "", ""));
        tenant.awaitGone(BuiltInTypes.PODS, "ns", "web");

        pod("next", "{containers: [{name: c, image: i}]}");
        onHost("next");
        schedule("next-x-ns-x-vc");
        report("next-x-ns-x-vc", "{phase: Running, conditions: [{type: PodScheduled, status: 'True'}]}");
        tenant.await(
                BuiltInTypes.PODS,
                "ns",
                "next",
                pod -> pod.at("/status/phase").asString("").equals("Running"));
        host.client().delete(BuiltInTypes.PODS, "team", "next-x-ns-x-vc", new Client.DeleteOptions(0, "", ""));
        tenant.awaitGone(BuiltInTypes.PODS, "ns", "next");
    }

    @Test
    void forbiddenPodsStayInTheTenant() {
        pod("evil", "{hostNetwork: true, containers: [{name: c, image: i}]}");
        assertThat(event("evil", "SyncWarning").path("message").asString())
                .contains("host namespaces (hostNetwork=true)");
        pod("picky", "{nodeName: n1, containers: [{name: c, image: i}]}");
        assertThat(tenant.awaitAll(BuiltInTypes.EVENTS, "ns", events -> events.size() == 2))
                .anySatisfy(
                        event -> assertThat(event.path("message").asString()).contains("spec.nodeName"));
        assertThat(host.list(BuiltInTypes.PODS, "team")).isEmpty();
    }

    @Test
    void foreignObjectsOfTheSameNameAreLeftAlone() {
        ObjectNode foreign = Yaml.parse(
                "{kind: Pod, apiVersion: v1, metadata: {name: web-x-ns-x-vc}, spec: {automountServiceAccountToken: false, containers: [{name: c, image: theirs}]}}");
        account(host, "team", "default");
        host.client().create(BuiltInTypes.PODS, "team", foreign);
        pod("web", "{containers: [{name: c, image: i}]}");
        event("web", "SyncError");
        tenant.client().delete(BuiltInTypes.PODS, "ns", "web", new Client.DeleteOptions(0, "", ""));
        tenant.awaitGone(BuiltInTypes.PODS, "ns", "web");
        assertThat(onHost("web").at("/spec/containers/0/image").asString()).isEqualTo("theirs");
    }

    @Test
    void aPodNeverGetsAnObjectOfAnotherByItsName() {
        ObjectNode foreign =
                Yaml.parse("{kind: Secret, apiVersion: v1, metadata: {name: keys-x-ns-x-vc}, data: {k: dg==}}");
        host.client().create(BuiltInTypes.SECRETS, "team", foreign);
        pod("web", "{containers: [{name: c, image: i, envFrom: [{secretRef: {name: keys}}]}]}");
        assertThat(event("web", "SyncError").path("message").asString()).contains("taken on the host");
        assertThat(host.list(BuiltInTypes.PODS, "team")).isEmpty();
    }

    @Test
    void changesOfMetadataAndReferencesFollow() {
        create(tenant, "ns", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: settings}\ndata: {a: b}");
        pod("web", "{containers: [{name: c, image: i}], volumes: [{name: v, configMap: {name: settings}}]}");
        onHost("web");
        tenant.client()
                .patch(
                        BuiltInTypes.PODS,
                        "ns",
                        "web",
                        "",
                        Client.PatchType.MERGE,
                        Yaml.parse("{metadata: {labels: {a: b}, annotations: {note: x}}}"));
        host.await(
                BuiltInTypes.PODS,
                "team",
                "web-x-ns-x-vc",
                pod -> Metadata.label(pod, "a").equals("b"));
        tenant.client()
                .patch(
                        BuiltInTypes.PODS,
                        "ns",
                        "web",
                        "",
                        Client.PatchType.MERGE,
                        Yaml.parse("{metadata: {labels: {a: null}}}"));
        host.await(
                BuiltInTypes.PODS,
                "team",
                "web-x-ns-x-vc",
                pod -> Metadata.label(pod, "a").isEmpty());
        tenant.client()
                .patch(
                        BuiltInTypes.CONFIG_MAPS,
                        "ns",
                        "settings",
                        "",
                        Client.PatchType.MERGE,
                        Yaml.parse("{data: {a: c}}"));
        host.await(
                BuiltInTypes.CONFIG_MAPS,
                "team",
                "settings-x-ns-x-vc",
                map -> map.at("/data/a").asString("").equals("c"));
        tenant.client()
                .patch(
                        BuiltInTypes.NAMESPACES,
                        "",
                        "ns",
                        "",
                        Client.PatchType.MERGE,
                        Yaml.parse("{metadata: {labels: {env: dev}}}"));
        host.await(
                BuiltInTypes.PODS,
                "team",
                "web-x-ns-x-vc",
                pod -> Metadata.labels(pod).entrySet().stream()
                        .anyMatch(label -> label.getKey().startsWith("vcluster.loft.sh/ns-label-vc-x-")
                                && label.getValue().equals("dev")));
        tenant.client().delete(BuiltInTypes.PODS, "ns", "web", new Client.DeleteOptions(0, "", ""));
        host.awaitGone(BuiltInTypes.CONFIG_MAPS, "team", "settings-x-ns-x-vc");
    }

    @Test
    void containersThatAreAddedMustPassAsTheFirstDid() {
        pod("web", "{containers: [{name: c, image: i}]}");
        onHost("web");
        tenant.client()
                .patch(
                        BuiltInTypes.PODS,
                        "ns",
                        "web",
                        "ephemeralcontainers",
                        Client.PatchType.STRATEGIC,
                        Yaml.parse("""
                                spec:
                                  ephemeralContainers:
                                  - {name: bad, image: i, securityContext: {privileged: true}}
                                  - {name: good, image: i}
                                """));
        ObjectNode hostPod = host.await(
                BuiltInTypes.PODS,
                "team",
                "web-x-ns-x-vc",
                found -> !found.at("/spec/ephemeralContainers").isEmpty());
        assertThat(hostPod.at("/spec/ephemeralContainers"))
                .singleElement()
                .satisfies(container ->
                        assertThat(container.path("name").asString()).isEqualTo("good"));
        assertThat(event("web", "SyncWarning").path("message").asString()).startsWith("Container bad is not synced");
    }

    @Test
    void hostEventsAreToldInTheTenantsWords() {
        pod("web", "{containers: [{name: c, image: i}]}");
        ObjectNode hostPod = onHost("web");
        ObjectNode event = Yaml.parse("""
                kind: Event
                apiVersion: v1
                metadata: {name: web-x-ns-x-vc.17a, namespace: team}
                reason: FailedScheduling
                type: Warning
                count: 1
                message: "pod team/web-x-ns-x-vc: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu."
                source: {component: atoll-scheduler, host: secret-host}
                firstTimestamp: "2026-01-01T00:00:00Z"
                lastTimestamp: "2026-01-01T00:00:00Z"
                """);
        event.putObject("involvedObject")
                .put("kind", "Pod")
                .put("apiVersion", "v1")
                .put("namespace", "team")
                .put("name", "web-x-ns-x-vc")
                .put("uid", Metadata.uid(hostPod));
        host.client().create(BuiltInTypes.EVENTS, "team", event);
        ObjectNode told = event("web", "FailedScheduling");
        assertThat(told.path("message").asString())
                .isEqualTo("pod ns/web: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.");
        assertThat(Json.encodeToString(told)).doesNotContain("team", "-x-", "secret-host");
    }

    @Test
    void servicesSelectTheTenantsPodsOnly() {
        create(
                tenant,
                "ns",
                "{kind: Service, apiVersion: v1, metadata: {name: alias}, spec: {type: ExternalName, externalName: vc-x.other.svc, selector: {app: web}}}");
        create(
                tenant,
                "ns",
                "{kind: Service, apiVersion: v1, metadata: {name: web}, spec: {selector: {app: web}, externalIPs: [1.2.3.4], ports: [{port: 80}]}}");
        ObjectNode service = host.await(BuiltInTypes.SERVICES, "team", "web-x-ns-x-vc", _ -> true);
        JsonNode spec = service.path("spec");
        assertThat(spec.path("selector"))
                .isEqualTo(Yaml.parse("{app: web, " + Marks.NAMESPACE + ": ns, " + Marks.MANAGED_BY + ": vc}"));
        assertThat(spec.has("externalIPs")).isFalse();
        assertThat(host.client().find(BuiltInTypes.SERVICES, "team", "alias-x-ns-x-vc"))
                .isEmpty();
        tenant.client().delete(BuiltInTypes.SERVICES, "ns", "web", Client.DeleteOptions.DEFAULT);
        host.awaitGone(BuiltInTypes.SERVICES, "team", "web-x-ns-x-vc");
    }

    @Test
    void tokensAreSecretsThatGoWithThePodAndAreRenewed() {
        pod("web", """
                serviceAccountName: default
                containers: [{name: c, image: i}]
                volumes: [{name: t, projected: {sources: [{serviceAccountToken: {path: token, audience: a, expirationSeconds: 1000}}]}}]
                """);
        ObjectNode hostPod = onHost("web");
        String name = "web-x-ns-x-vc.tokens";
        ObjectNode secret = host.await(
                BuiltInTypes.SECRETS,
                "team",
                name,
                found -> !Metadata.ownerReferences(found).isEmpty());
        assertThat(Metadata.ownerReferences(secret).getFirst().uid()).isEqualTo(Metadata.uid(hostPod));
        assertThat(Metadata.annotation(secret, Marks.RENEW_AT)).isEqualTo("2026-01-01T00:13:20Z");
        assertThat(Json.encodeToString(hostPod)).doesNotContain("serviceAccountToken");
        String token = secret.at("/data/token-0").asString();
        timers.advance(Duration.ofMinutes(15));
        ObjectNode renewed = host.await(
                BuiltInTypes.SECRETS,
                "team",
                name,
                found -> !found.at("/data/token-0").asString("").equals(token));
        assertThat(Metadata.annotation(renewed, Marks.RENEW_AT)).isGreaterThan("2026-01-01T00:26:00Z");
        assertThat(Metadata.ownerReferences(renewed)).hasSize(1);
    }

    @Test
    void streamsReachTheTenantsOwnContainersOnly() throws IOException {
        ObjectNode pod = pod("web", "{containers: [{name: c, image: i}]}");
        onHost("web");
        RecordedStreams recorded = new RecordedStreams();
        TenantPodStreams streams = new TenantPodStreams(host.client(), recorded);
        LogOptions all = new LogOptions("", false, false, false, -1, -1, null);
        assertThatThrownBy(() -> streams.logs(ID, pod, all, recorded))
                .hasMessage("pod web does not have a host assigned");
        schedule("web-x-ns-x-vc");
        streams.logs(ID, pod, all, recorded);
        assertThat(recorded.bytes).hasToString("logs of web-x-ns-x-vc/c");
        assertThatThrownBy(() ->
                        streams.logs(ID, pod, new LogOptions("sidecar", false, false, false, -1, -1, null), recorded))
                .isInstanceOf(ApiException.class)
                .hasMessage("container sidecar is not valid for pod web");
        ObjectNode forged = pod.deepCopy();
        Metadata.setUid(forged, "other");
        assertThatThrownBy(() -> streams.logs(ID, forged, all, recorded)).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> streams.logs(new TenantId("team", "other"), pod, all, recorded))
                .isInstanceOf(ApiException.class);
    }

    /** Stands for the host's node agent. */
    private static final class RecordedStreams implements PodStreams, ByteSink {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void logs(TenantId tenant, ObjectNode pod, LogOptions options, ByteSink sink) throws IOException {
            sink.write(("logs of " + Metadata.name(pod) + "/" + options.container()).getBytes(UTF_8));
        }

        @Override
        public int exec(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) {
            return 0;
        }

        @Override
        public int attach(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) {
            return 0;
        }

        @Override
        public void portForward(TenantId tenant, ObjectNode pod, int port, ExecStreams streams) {}

        @Override
        public void write(byte[] chunk) {
            bytes.writeBytes(chunk);
        }

        @Override
        public boolean closed() {
            return false;
        }

        @Override
        public void onClose(Runnable action) {}
    }

    @Test
    void aNewSyncerTakesOver() {
        pod("web", "{containers: [{name: c, image: i}]}");
        onHost("web");
        syncer.close();
        schedule("web-x-ns-x-vc");
        pod("late", "{containers: [{name: c, image: i}]}");
        syncer = start(TenantConfig.defaults());
        onHost("late");
        tenant.await(
                BuiltInTypes.PODS,
                "ns",
                "web",
                pod -> pod.at("/spec/nodeName").asString("").equals("n1"));
        syncer.close();
        assertThat(Syncer.purge(ID, host.client())).isPositive();
        host.awaitGone(BuiltInTypes.PODS, "team", "late-x-ns-x-vc");
        host.awaitGone(BuiltInTypes.SERVICE_ACCOUNTS, "team", "vc-workload-vc");
    }
}
