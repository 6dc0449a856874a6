package io.atoll.node;

import io.atoll.base.TenantId;
import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.pod.LogOptions;
import io.atoll.node.runtime.HostTypes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Pods from bound to gone, as real processes and simulated. */
class NodeAgentTest {
    private static final ResourceType EVENTS = ResourceType.of("", "v1", "events", "Event", true);

    @TempDir
    Path dir;

    private final FakeHost host = new FakeHost();
    private NodeAgent agent;

    @BeforeEach
    void start() {
        agent = start(List.of(NodeSpec.parse("2:T4x1"), NodeSpec.parse("1:H100x8"), NodeSpec.parse("20:H100x8:sim")));
    }

    private NodeAgent start(List<NodeSpec> specs) {
        NodeOptions options = NodeOptions.DEFAULT
                .withTaintGpus(true)
                .withCrashLoopBackoff(Duration.ofMillis(50), Duration.ofMillis(200));
        return NodeAgent.start(host, host.cache(), specs, dir, options);
    }

    @AfterEach
    void stop() {
        agent.shutdown();
    }

    @Test
    void nodesAreRegisteredAsOnARealCluster() {
        ObjectNode node = host.get(HostTypes.NODES, "", "t4x1-1");
        JsonNode labels = node.path("metadata").path("labels");
        assertThat(labels.path("cloud.google.com/gke-accelerator").asString("")).isEqualTo("nvidia-tesla-t4");
        assertThat(labels.path("cloud.google.com/gke-accelerator-count").asString(""))
                .isEqualTo("1");
        assertThat(labels.path("nvidia.com/gpu.product").asString("")).isEqualTo("Tesla-T4");
        assertThat(labels.path("nvidia.com/gpu.memory").asString("")).isEqualTo("15360");
        assertThat(labels.path("kubernetes.io/hostname").asString("")).isEqualTo("t4x1-1");
        assertThat(node.path("status")
                        .path("allocatable")
                        .path("nvidia.com/gpu")
                        .asString(""))
                .isEqualTo("1");
        assertThat(condition(node, "Ready").path("status").asString("")).isEqualTo("True");
        assertThat(Json.encodeToString(node.path("spec").path("taints")))
                .isEqualTo("[{\"key\":\"nvidia.com/gpu\",\"value\":\"present\",\"effect\":\"NoSchedule\"}]");
        ObjectNode lease = host.get(HostTypes.LEASES, "kube-node-lease", "h100x8-20");
        assertThat(lease.path("spec").path("holderIdentity").asString("")).isEqualTo("h100x8-20");
        assertThat(host.all(HostTypes.NODES)).hasSize(23);
    }

    @Test
    void nodesThatAreNoLongerAskedForGoWithTheirPods() {
        create("lost", "t4x1-1", "{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}", "Never");
        awaitPhase("lost", "Running");
        agent.close();
        agent = start(List.of(NodeSpec.parse("1:T4x1")));
        assertThat(host.all(HostTypes.NODES)).hasSize(1);
        host.await(HostTypes.PODS, "default", "lost", ObjectNode::isEmpty);
        awaitNoPodFolder("lost");
    }

    @Test
    void aPodRunsToItsEndAndShowsItAsAKubeletDoes() throws IOException {
        create("done", "t4x1-0", """
                {"name":"main","image":"cuda","command":["/bin/sh","-c","echo visible: $NVIDIA_VISIBLE_DEVICES"],
                 "resources":{"limits":{"nvidia.com/gpu":"1"}}}""", "Never");
        ObjectNode pod = awaitPhase("done", "Succeeded");
        JsonNode status = pod.path("status");
        JsonNode container = status.path("containerStatuses").get(0);
        JsonNode terminated = container.path("state").path("terminated");
        assertThat(terminated.path("exitCode").asInt(-1)).isZero();
        assertThat(terminated.path("reason").asString("")).isEqualTo("Completed");
        assertThat(container.path("restartCount").asInt(-1)).isZero();
        assertThat(condition(pod, "Ready").path("reason").asString("")).isEqualTo("PodCompleted");
        assertThat(condition(pod, "Initialized").path("status").asString("")).isEqualTo("True");
        assertThat(status.path("podIP").asString("")).startsWith("127.64.");
        assertThat(status.path("hostIP").asString("")).isEqualTo("127.0.0.1");
        assertThat(log(pod, false)).matches("visible: GPU-[0-9a-f-]{36}\n");
        awaitEvent(
                "ImageNotPulled",
                "Image \"cuda\" is not pulled: the command runs as a process of this machine, with"
                        + " its files and programs, isolated from nothing");
        awaitEvent("Started", "Started container main");
    }

    @Test
    void aFailedPodThatIsNeverRestartedFails() {
        create("failed", "t4x1-0", "{\"name\":\"main\",\"command\":[\"/bin/sh\",\"-c\",\"exit 3\"]}", "Never");
        ObjectNode pod = awaitPhase("failed", "Failed");
        JsonNode terminated = container(pod, 0).path("state").path("terminated");
        assertThat(terminated.path("exitCode").asInt(0)).isEqualTo(3);
        assertThat(terminated.path("reason").asString("")).isEqualTo("Error");
    }

    @Test
    void aCrashingContainerBacksOffAndItsPreviousLogStays() throws IOException {
        create(
                "crashing",
                "t4x1-0",
                "{\"name\":\"main\",\"command\":[\"/bin/sh\",\"-c\",\"echo oops; exit 1\"]}",
                "Always");
        ObjectNode pod = host.await(HostTypes.PODS, "default", "crashing", object -> {
            JsonNode container = container(object, 0);
            return container.path("restartCount").asInt(0) >= 2
                    && container
                            .path("state")
                            .path("waiting")
                            .path("reason")
                            .asString("")
                            .equals("CrashLoopBackOff");
        });
        assertThat(container(pod, 0)
                        .path("state")
                        .path("waiting")
                        .path("message")
                        .asString(""))
                .startsWith("back-off ")
                .contains("restarting failed container=main pod=crashing_default(");
        assertThat(container(pod, 0)
                        .path("lastState")
                        .path("terminated")
                        .path("exitCode")
                        .asInt(0))
                .isEqualTo(1);
        assertThat(pod.path("status").path("phase").asString("")).isEqualTo("Running");
        assertThat(log(pod, true)).isEqualTo("oops\n");
        delete("crashing");
    }

    @Test
    void initContainersRunFirstAndSidecarsBeside() {
        host.create(HostTypes.PODS, "default", Json.parse("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"ordered"},
                 "spec":{"nodeName":"t4x1-0","restartPolicy":"Never","terminationGracePeriodSeconds":5,
                  "volumes":[{"name":"shared","emptyDir":{}}],
                  "initContainers":[
                    {"name":"first","command":["/bin/sh","-c","echo 1 > /atoll-shared/order"],
                     "volumeMounts":[{"name":"shared","mountPath":"/atoll-shared"}]},
                    {"name":"side","restartPolicy":"Always","command":["sleep","1000"]}],
                  "containers":[
                    {"name":"main","command":["/bin/sh","-c","grep 1 /atoll-shared/order"],
                     "volumeMounts":[{"name":"shared","mountPath":"/atoll-shared"}]}]}}"""));
        ObjectNode pod = awaitPhase("ordered", "Succeeded");
        JsonNode init = pod.path("status").path("initContainerStatuses");
        assertThat(init.get(0).path("state").path("terminated").path("exitCode").asInt(-1))
                .isZero();
        assertThat(init.get(1).path("state").path("terminated").path("exitCode").asInt(-1))
                .isEqualTo(143);
    }

    @Test
    void aMissingConfigMapIsSaidAndRetried() {
        create("waiting", "t4x1-0", """
                {"name":"main","command":["/bin/sh","-c","exit 0"],
                 "env":[{"name":"X","valueFrom":{"configMapKeyRef":{"name":"later","key":"x"}}}]}""", "Never");
        host.await(HostTypes.PODS, "default", "waiting", pod -> {
            JsonNode waiting = container(pod, 0).path("state").path("waiting");
            return waiting.path("reason").asString("").equals("CreateContainerConfigError")
                    && waiting.path("message").asString("").equals("configmap \"later\" not found");
        });
        host.create(HostTypes.CONFIG_MAPS, "default", Json.parse("""
                {"metadata":{"name":"later"},"data":{"x":"1"}}"""));
        awaitPhase("waiting", "Succeeded");
    }

    @Test
    void deletionEndsTheProcessFirst() {
        create("deleted", "t4x1-0", "{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}", "Always");
        ObjectNode pod = awaitPhase("deleted", "Running");
        assertThat(condition(pod, "Ready").path("status").asString("")).isEqualTo("True");
        delete("deleted");
        host.await(HostTypes.PODS, "default", "deleted", ObjectNode::isEmpty);
        awaitNoPodFolder("deleted");
    }

    @Test
    void aProcessThatIgnoresTermIsKilledAfterTheGracePeriod() {
        create("stubborn", "t4x1-0", """
                {"name":"main","command":["/bin/sh","-c","trap '' TERM; echo up; while :; do sleep 1; done"]}""", "Never");
        ObjectNode pod = awaitPhase("stubborn", "Running");
        host.await(HostTypes.PODS, "default", "stubborn", _ -> logged(pod).contains("up"));
        host.delete(HostTypes.PODS, "default", "stubborn", new Client.DeleteOptions(1, "", ""));
        host.await(HostTypes.PODS, "default", "stubborn", ObjectNode::isEmpty);
    }

    @Test
    void hooksRunAndTheLogCanBeTheMessage() throws IOException {
        create("hooked", "t4x1-0", """
                {"name":"main","terminationMessagePolicy":"FallbackToLogsOnError",
                 "lifecycle":{"postStart":{"exec":{"command":["/bin/sh","-c","touch started"]}},
                              "preStop":{"exec":{"command":["/bin/sh","-c","echo stopping > started"]}}},
                 "command":["/bin/sh","-c","while [ ! -s started ]; do sleep 0.05; done; cat started; exit 1"]}""", "Never");
        awaitPhase("hooked", "Running");
        host.delete(HostTypes.PODS, "default", "hooked", new Client.DeleteOptions(20, "", ""));
        host.await(HostTypes.PODS, "default", "hooked", ObjectNode::isEmpty);
        create("explained", "t4x1-0", """
                {"name":"main","terminationMessagePolicy":"FallbackToLogsOnError",
                 "command":["/bin/sh","-c","echo the reason; exit 1"]}""", "Never");
        ObjectNode pod = awaitPhase("explained", "Failed");
        assertThat(container(pod, 0)
                        .path("state")
                        .path("terminated")
                        .path("message")
                        .asString(""))
                .isEqualTo("the reason\n");
    }

    @Test
    void theDeadlineOfAPodEndsIt() {
        ObjectNode pod = pod("late", "t4x1-0", "{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}", "Never");
        ((ObjectNode) pod.path("spec")).put("activeDeadlineSeconds", 1);
        host.create(HostTypes.PODS, "default", pod);
        ObjectNode failed = awaitPhase("late", "Failed");
        assertThat(failed.path("status").path("reason").asString("")).isEqualTo("DeadlineExceeded");
    }

    @Test
    void gpusAreGrantedOnceAndComeBack() throws IOException {
        String three = """
                {"name":"main","command":["/bin/sh","-c","echo $NVIDIA_VISIBLE_DEVICES; sleep 1000"],
                 "resources":{"limits":{"nvidia.com/gpu":"3"}}}""";
        create("a", "h100x8-0", three, "Never");
        create("b", "h100x8-0", three, "Never");
        ObjectNode a = awaitPhase("a", "Running");
        ObjectNode b = awaitPhase("b", "Running");
        host.await(
                HostTypes.PODS,
                "default",
                "a",
                _ -> !logged(a).isEmpty() && !logged(b).isEmpty());
        List<String> granted = new ArrayList<>(List.of(log(a, false).strip().split(",")));
        granted.addAll(List.of(log(b, false).strip().split(",")));
        assertThat(granted).hasSize(6).doesNotHaveDuplicates();
        create("c", "h100x8-0", three, "Never");
        ObjectNode c = awaitPhase("c", "Failed");
        assertThat(c.path("status").path("reason").asString("")).isEqualTo("OutOfnvidia.com/gpu");
        delete("a");
        host.await(HostTypes.PODS, "default", "a", ObjectNode::isEmpty);
        create("d", "h100x8-0", three, "Never");
        awaitPhase("d", "Running");
    }

    @Test
    void aNewAgentGoesOnWhereTheOldOneStopped() throws IOException {
        create("lasting", "h100x8-0", """
                {"name":"main","command":["/bin/sh","-c","echo up; sleep 1000"],
                 "resources":{"limits":{"nvidia.com/gpu":"8"}}}""", "Never");
        ObjectNode before = awaitPhase("lasting", "Running");
        host.await(HostTypes.PODS, "default", "lasting", _ -> logged(before).contains("up"));
        agent.close();
        agent = start(List.of(NodeSpec.parse("2:T4x1"), NodeSpec.parse("1:H100x8")));
        create("second", "h100x8-0", """
                {"name":"main","command":["true"],"resources":{"limits":{"nvidia.com/gpu":"1"}}}""", "Never");
        ObjectNode second = awaitPhase("second", "Failed");
        assertThat(second.path("status").path("reason").asString("")).isEqualTo("OutOfnvidia.com/gpu");
        ObjectNode after = host.get(HostTypes.PODS, "default", "lasting");
        assertThat(container(after, 0).path("containerID"))
                .isEqualTo(container(before, 0).path("containerID"));
        assertThat(log(after, false)).isEqualTo("up\n");
        delete("lasting");
        host.await(HostTypes.PODS, "default", "lasting", ObjectNode::isEmpty);
    }

    @Test
    void aPodWhoseObjectWentWhileNoAgentRanIsEnded() {
        create("orphan", "t4x1-0", "{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}", "Never");
        awaitPhase("orphan", "Running");
        agent.close();
        host.delete(HostTypes.PODS, "default", "orphan", new Client.DeleteOptions(0, "", ""));
        agent = start(List.of(NodeSpec.parse("1:T4x1")));
        awaitNoPodFolder("orphan");
    }

    @Test
    void probesDecideReadinessAndRestartWhatHasDied() {
        create("probed", "t4x1-0", """
                {"name":"main","command":["/bin/sh","-c","sleep 1000"],
                 "readinessProbe":{"exec":{"command":["true"]},"periodSeconds":1},
                 "livenessProbe":{"exec":{"command":["/bin/sh","-c","exit 1"]},"periodSeconds":1,"failureThreshold":1}}""", "Always");
        host.await(
                HostTypes.PODS,
                "default",
                "probed",
                pod -> condition(pod, "Ready").path("status").asString("").equals("True"));
        host.await(
                HostTypes.PODS,
                "default",
                "probed",
                pod -> container(pod, 0).path("restartCount").asInt(0) >= 1);
        delete("probed");
    }

    @Test
    void aPodOfAnotherNodeIsNotTouched() {
        create("foreign", "somewhere-else", "{\"name\":\"main\",\"command\":[\"true\"]}", "Never");
        create("own", "t4x1-0", "{\"name\":\"main\",\"command\":[\"true\"]}", "Never");
        awaitPhase("own", "Succeeded");
        assertThat(host.get(HostTypes.PODS, "default", "foreign").has("status")).isFalse();
    }

    @Test
    void simulatedPodsFollowTheirAnnotations() {
        ObjectNode pod = pod("sim", "h100x8-5", "{\"name\":\"main\",\"image\":\"x\"}", "Never");
        ((ObjectNode) pod.path("metadata"))
                .putObject("annotations")
                .put("atoll.dev/sim-duration", "50ms")
                .put("atoll.dev/sim-exit-code", "9");
        host.create(HostTypes.PODS, "default", pod);
        ObjectNode failed = awaitPhase("sim", "Failed");
        assertThat(container(failed, 0)
                        .path("state")
                        .path("terminated")
                        .path("exitCode")
                        .asInt(0))
                .isEqualTo(9);
    }

    @Test
    void twoAgentsNeverShareAFolder() {
        assertThatThrownBy(() -> start(List.of(NodeSpec.parse("1:cpu"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another node agent runs");
    }

    @Test
    void streamsSayWhatIsWrong() {
        create("one", "t4x1-0", "{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}", "Never");
        ObjectNode pod = awaitPhase("one", "Running");
        assertThatThrownBy(() -> agent.streams().logs(TenantId.HOST, pod, options("other", false), new Collected()))
                .isInstanceOf(ApiException.class)
                .hasMessage("container other is not valid for pod one");
        assertThatThrownBy(() -> agent.streams().logs(TenantId.HOST, pod, options("main", true), new Collected()))
                .isInstanceOf(ApiException.class)
                .hasMessage("previous terminated container \"main\" in pod \"one\" not found");
    }

    private void create(String name, String node, String container, String restartPolicy) {
        host.create(HostTypes.PODS, "default", pod(name, node, container, restartPolicy));
    }

    private static ObjectNode pod(String name, String node, String container, String restartPolicy) {
        return Json.parse("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s"},
                 "spec":{"nodeName":"%s","restartPolicy":"%s","terminationGracePeriodSeconds":5,"containers":[%s]}}""".formatted(name, node, restartPolicy, container));
    }

    private void delete(String name) {
        host.delete(HostTypes.PODS, "default", name, Client.DeleteOptions.DEFAULT);
    }

    private ObjectNode awaitPhase(String name, String phase) {
        return host.await(
                HostTypes.PODS,
                "default",
                name,
                pod -> pod.path("status").path("phase").asString("").equals(phase));
    }

    private void awaitEvent(String reason, String message) {
        host.await(
                EVENTS,
                "default",
                "",
                _ -> host.all(EVENTS).stream()
                        .anyMatch(event -> event.path("reason").asString("").equals(reason)
                                && event.path("message").asString("").equals(message)));
    }

    /** Folders are named by UID; the only pod that a test of this kind makes is the one meant. */
    private void awaitNoPodFolder(String pod) {
        Path folder = dir.resolve("pods");
        host.await(HostTypes.PODS, "default", pod, _ -> {
            String[] left = folder.toFile().list();
            return left == null || left.length == 0;
        });
    }

    private String logged(ObjectNode pod) {
        try {
            return log(pod, false);
        } catch (IOException | ApiException _) {
            return "";
        }
    }

    private String log(ObjectNode pod, boolean previous) throws IOException {
        Collected text = new Collected();
        agent.streams().logs(TenantId.HOST, pod, options("", previous), text);
        return text.text();
    }

    private static LogOptions options(String container, boolean previous) {
        return new LogOptions(container, false, previous, false, -1, -1, null);
    }

    private static JsonNode container(ObjectNode pod, int index) {
        return pod.path("status").path("containerStatuses").path(index);
    }

    private static JsonNode condition(ObjectNode object, String type) {
        return StreamSupport.stream(object.path("status").path("conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asString("").equals(type))
                .findFirst()
                .orElse(Json.object());
    }
}
