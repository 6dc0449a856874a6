package io.atoll.node;

import io.atoll.apiserver.StandardExtensions;
import io.atoll.apiserver.authn.ServiceAccountTokens;
import io.atoll.apiserver.pki.CertificateAuthority;
import io.atoll.base.TenantId;
import io.atoll.base.Timers;
import io.atoll.client.Client;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.node.runtime.HostTypes;
import io.atoll.testkit.TestCluster;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Nodes against a real API server: its validation, its patches, its rules of deletion. */
class NodeOnClusterTest {
    private static final ResourceType EVENTS = ResourceType.of("", "v1", "events", "Event", true);

    @TempDir
    Path dir;

    private final KeyPair keys = CertificateAuthority.newKeyPair();
    private final TestCluster cluster = TestCluster.start(
            TenantId.HOST,
            options -> options.withExtensions(StandardExtensions.of(context ->
                    new ServiceAccountTokens("https://host", keys, List.of(), context.objects(), Timers.system()))));
    private NodeAgent agent;

    @BeforeEach
    void start() {
        // What the controllers of a whole cluster would make.
        cluster.client().create(HostTypes.SERVICE_ACCOUNTS, "default", Json.parse("""
                {"kind":"ServiceAccount","apiVersion":"v1","metadata":{"name":"default"}}"""));
        cluster.client().create(HostTypes.CONFIG_MAPS, "default", Json.parse("""
                {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"kube-root-ca.crt"},"data":{"ca.crt":"CA"}}"""));
        agent = NodeAgent.start(
                cluster.client(),
                cluster.cache(),
                List.of(NodeSpec.parse("1:H100x8"), NodeSpec.parse("50:T4x1:sim")),
                dir,
                NodeOptions.DEFAULT.withTaintGpus(true));
    }

    @AfterEach
    void stop() {
        agent.shutdown();
        cluster.close();
    }

    @Test
    void nodesAndLeasesAreAccepted() {
        assertThat(cluster.client()
                        .list(HostTypes.NODES, "", Client.ListOptions.ALL)
                        .path("items"))
                .hasSize(51);
        assertThat(cluster.client()
                        .list(HostTypes.LEASES, "kube-node-lease", Client.ListOptions.ALL)
                        .path("items"))
                .hasSize(51);
    }

    @Test
    void aPodGoesFromBoundToRunningToGone() {
        create("main", "h100x8-0", """
                ["/bin/sh","-c","S=/var/run/secrets/kubernetes.io/serviceaccount; [ -e $S/token ] || S=$HERE$S; test -s $S/token && grep CA $S/ca.crt && grep default $S/namespace && exec sleep 1000"]""", "Always");
        ObjectNode running = cluster.await(
                HostTypes.PODS, "default", "main", pod -> ready(pod).equals("True"));
        for (JsonNode condition : running.path("status").path("conditions")) {
            assertThat(condition.has("message") || condition.has("reason"))
                    .as(condition.toString())
                    .isFalse();
        }
        assertThat(running.path("status").path("phase").asString("")).isEqualTo("Running");
        cluster.client().delete(HostTypes.PODS, "default", "main", Client.DeleteOptions.DEFAULT);
        cluster.awaitGone(HostTypes.PODS, "default", "main");
        cluster.awaitAll(
                EVENTS,
                "default",
                events -> events.stream()
                        .anyMatch(event -> event.path("reason").asString("").equals("Killing")));
    }

    @Test
    void aSimulatedPodCompletes() {
        create("sim", "t4x1-7", "[\"anything\"]", "Never");
        cluster.await(
                HostTypes.PODS,
                "default",
                "sim",
                pod -> pod.path("status").path("phase").asString("").equals("Succeeded"));
    }

    private void create(String name, String node, String command, String restartPolicy) {
        cluster.client()
                .create(HostTypes.PODS, "default", Json.parse("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s"},
                 "spec":{"nodeName":"%s","restartPolicy":"%s",
                  "containers":[{"name":"main","image":"busybox","command":%s}]}}""".formatted(name, node, restartPolicy, command)));
    }

    private static String ready(ObjectNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asString("").equals("Ready")) {
                return condition.path("status").asString("");
            }
        }
        return "";
    }
}
