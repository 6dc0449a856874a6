package io.atoll.node.runtime;

import io.atoll.base.Timers;
import io.atoll.model.Json;
import io.atoll.node.FakeHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real processes. */
class ProcessRuntimeTest {
    @TempDir
    Path dir;

    private final FakeHost host = new FakeHost();
    private ProcessRuntime runtime;

    @BeforeEach
    void open() throws IOException {
        runtime = new ProcessRuntime(host, dir.resolve("runtime"), Map.of(), 1 << 20, 3, Timers.system());
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void exitCodesAndOutputAreReal() throws Exception {
        Run run = start(pod("""
                {"name":"main","command":["/bin/sh","-c","echo out; echo err >&2; echo $0 $GREETING; exit 3"],
                 "args":["$(GREETING)"],"env":[{"name":"GREETING","value":"hello $(NOBODY)"}]}"""), 0);
        Exit exit = run.awaitExit();
        assertThat(exit.code()).isEqualTo(3);
        assertThat(exit.reason()).isEqualTo("Error");
        assertThat(log(run)).contains(" stdout F out", " stderr F err", " stdout F hello $(NOBODY) hello $(NOBODY)");
        assertThat(log(run)).matches("(?s)[0-9-]{10}T[0-9:]{8}\\.[0-9]{9}Z std.*");
    }

    @Test
    void signalsShowAs128PlusTheirNumber() throws Exception {
        Run run = start(pod("{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}"), 0);
        assertThat(run.attempt.exit()).isEmpty();
        run.attempt.terminate();
        assertThat(run.awaitExit().code()).isEqualTo(143);
    }

    @Test
    void theWholeProcessGroupEnds() throws Exception {
        Run run = start(pod("""
                {"name":"main","command":["/bin/sh","-c","sleep 1000 & echo child $!; exit 0"]}"""), 0);
        assertThat(run.awaitExit().code()).isZero();
        String line = log(run).lines().findFirst().orElseThrow();
        long orphan = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
        awaitDeath(orphan);
    }

    @Test
    void aMissingProgramIsAStartError() throws Exception {
        Run run = start(pod("{\"name\":\"main\",\"command\":[\"no-such-program\"]}"), 0);
        Exit exit = run.attempt.exit().isPresent() ? run.attempt.exit().get() : run.awaitExit();
        assertThat(exit.code()).isEqualTo(128);
        assertThat(exit.reason()).isEqualTo("StartError");
        assertThat(exit.message()).isEqualTo("exec: \"no-such-program\": executable file not found in $PATH");
    }

    @Test
    void aContainerWithoutACommandSaysWhatToDo() {
        assertThatThrownBy(() -> start(pod("{\"name\":\"main\",\"image\":\"busybox\"}"), 0))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("busybox")
                .hasMessageContaining("give the container a command");
    }

    @Test
    void grantedDevicesAndNoOthersAreVisible() throws Exception {
        String print = "{\"name\":\"%s\",\"command\":[\"/bin/sh\",\"-c\","
                + "\"echo [$NVIDIA_VISIBLE_DEVICES] [$CUDA_VISIBLE_DEVICES]\"],"
                + "\"env\":[{\"name\":\"NVIDIA_VISIBLE_DEVICES\",\"value\":\"all\"}]}";
        Run granted = start(pod(print.formatted("gpu")), 0);
        granted.awaitExit();
        assertThat(log(granted)).contains("[GPU-1,GPU-2] [GPU-1,GPU-2]");
        Run none = start(pod(print.formatted("none")), 0);
        none.awaitExit();
        assertThat(log(none)).contains("[void] []");
    }

    @Test
    void aRunOutlivesItsAgentAndIsTakenOver() throws Exception {
        ObjectNode pod = pod("""
                {"name":"main","command":["/bin/sh","-c","echo before; read -r go < %s; echo after; exit 7"]}""".formatted(fifo("go")));
        Run first = start(pod, 0);
        runtime.close();
        runtime = new ProcessRuntime(host, dir.resolve("runtime"), Map.of(), 1 << 20, 3, Timers.system());
        CountDownLatch exited = new CountDownLatch(1);
        List<Attempt> adopted = runtime.adopt(site(pod), container(pod), exited::countDown);
        assertThat(adopted).hasSize(1);
        assertThat(adopted.getFirst().number()).isZero();
        assertThat(adopted.getFirst().exit()).isEmpty();
        Files.writeString(dir.resolve("go"), "go\n");
        assertThat(exited.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(adopted.getFirst().exit().orElseThrow().code()).isEqualTo(7);
        assertThat(log(new Run(adopted.getFirst(), exited))).contains("before", "after");
        assertThat(first.attempt.id()).isEqualTo(adopted.getFirst().id());
    }

    @Test
    void theExitOfARunThatEndedWithoutAnAgentIsKnown() throws Exception {
        ObjectNode pod = pod("{\"name\":\"main\",\"command\":[\"/bin/sh\",\"-c\",\"exit 5\"]}");
        Run run = start(pod, 0);
        run.awaitExit();
        runtime.close();
        runtime = new ProcessRuntime(host, dir.resolve("runtime"), Map.of(), 1 << 20, 3, Timers.system());
        CountDownLatch seen = new CountDownLatch(1);
        Attempt adopted =
                runtime.adopt(site(pod), container(pod), seen::countDown).getFirst();
        // Known at once, unless the shim is just about to leave.
        assertThat(adopted.exit().isPresent() || seen.await(30, TimeUnit.SECONDS))
                .isTrue();
        assertThat(adopted.exit().orElseThrow().code()).isEqualTo(5);
    }

    @Test
    void aRunWhoseShimWasKilledIsLostAndItsProcessEnds() throws Exception {
        ObjectNode pod = pod("{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}");
        Run run = start(pod, 0);
        ProcessAttempt attempt = (ProcessAttempt) run.attempt;
        ProcessStamp child = attempt.child().orElseThrow();
        runtime.close();
        ProcessHandle shim =
                ProcessHandle.of(attempt.shim().orElseThrow().pid()).orElseThrow();
        shim.destroyForcibly();
        shim.onExit().get(30, TimeUnit.SECONDS);
        runtime = new ProcessRuntime(host, dir.resolve("runtime"), Map.of(), 1 << 20, 3, Timers.system());
        CountDownLatch exited = new CountDownLatch(1);
        List<Attempt> adopted = runtime.adopt(site(pod), container(pod), exited::countDown);
        assertThat(exited.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(adopted.getFirst().exit().orElseThrow().reason()).isEqualTo("ContainerStatusUnknown");
        awaitDeath(child.pid());
    }

    @Test
    void aShimThatIsKilledUnderTheAgentIsNoticed() throws Exception {
        Run run = start(pod("{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}"), 0);
        ProcessAttempt attempt = (ProcessAttempt) run.attempt;
        Libc.kill(attempt.shim().orElseThrow().pid(), Libc.SIGKILL);
        assertThat(run.awaitExit().reason()).isEqualTo("ContainerStatusUnknown");
        awaitDeath(attempt.child().orElseThrow().pid());
    }

    @Test
    void anAgentThatComesBackKeepsAStartThatNeverBeganFromBeginning() throws Exception {
        ObjectNode pod = pod("{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}");
        Files.createDirectories(ProcessRuntime.folder(site(pod), "main").resolve("0"));
        assertThat(runtime.adopt(site(pod), container(pod), () -> {})).isEmpty();
        Run run = start(pod, 0);
        run.attempt.kill();
        assertThat(run.awaitExit().code()).isEqualTo(137);
    }

    @Test
    void volumesAreWhereTheContainerLooksForThem() throws Exception {
        host.create(HostTypes.CONFIG_MAPS, "default", Json.parse("""
                {"metadata":{"name":"settings"},"data":{"mode":"fast"}}"""));
        host.create(HostTypes.SECRETS, "default", Json.parse("""
                {"metadata":{"name":"keys"},"data":{"key":"czNjcmV0"}}"""));
        ObjectNode pod = Json.parse("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"default","uid":"u1",
                  "labels":{"app":"x"}},
                 "spec":{"volumes":[
                    {"name":"settings","configMap":{"name":"settings"}},
                    {"name":"scratch","emptyDir":{}},
                    {"name":"all","projected":{"sources":[
                        {"secret":{"name":"keys"}},
                        {"serviceAccountToken":{"path":"token","expirationSeconds":3600}},
                        {"downwardAPI":{"items":[{"path":"labels","fieldRef":{"fieldPath":"metadata.labels"}}]}}]}}],
                  "containers":[{"name":"main","command":["/bin/sh","-c",
                    "cat $P/etc/atoll-test/mode $P/atoll-test-all/key $P/atoll-test-all/token $P/atoll-test-all/labels; echo x > $P/atoll-test-scratch/f"],
                    "env":[{"name":"P","value":""}],
                    "volumeMounts":[{"name":"settings","mountPath":"/etc/atoll-test"},
                      {"name":"scratch","mountPath":"/atoll-test-scratch"},
                      {"name":"all","mountPath":"/atoll-test-all"}]}]}}""");
        if (!Toolbox.find(dir).namespaces()) {
            ((ObjectNode) pod.path("spec").path("containers").get(0).path("env").get(0)).put("value", "$(ATOLL_ROOT)");
        }
        PodSite site = site(pod);
        runtime.prepare(site);
        Run run = start(pod, 0);
        assertThat(run.awaitExit().code()).as(log(run)).isZero();
        assertThat(log(run))
                .contains("fast")
                .contains("s3cret")
                .contains("token-of-default")
                .contains("app=\"x\"");
        assertThat(site.dir().resolve("volumes/scratch/f")).hasContent("x\n");
        assertThat(Path.of("/atoll-test-all")).doesNotExist();
        assertThat(Path.of("/etc/atoll-test")).doesNotExist();
    }

    @Test
    void withoutMountNamespacesVolumesLieBelowTheRoot() throws Exception {
        // A folder with a blank in its name rules namespaces out.
        Path folder = dir.resolve("with a blank");
        runtime.close();
        runtime = new ProcessRuntime(host, folder.resolve("runtime"), Map.of(), 1 << 20, 3, Timers.system());
        host.create(HostTypes.CONFIG_MAPS, "default", Json.parse("""
                {"metadata":{"name":"settings"},"data":{"mode":"fast"}}"""));
        ObjectNode pod = Json.parse("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"default","uid":"u1"},
                 "spec":{"volumes":[{"name":"settings","configMap":{"name":"settings"}}],
                  "containers":[{"name":"main","workingDir":"/atoll-workspace",
                    "command":["/bin/sh","-c","cat \\"$ATOLL_ROOT/atoll-etc/mode\\"; pwd; echo done > \\"$ATOLL_ROOT/dev/termination-log\\""],
                    "volumeMounts":[{"name":"settings","mountPath":"/atoll-etc"}]}]}}""");
        PodSite site =
                new PodSite(pod, "node-1", "127.0.0.1", "127.64.0.1", folder.resolve("pods/u1"), Map.of(), Map.of());
        runtime.prepare(site);
        CountDownLatch exited = new CountDownLatch(1);
        Run run = new Run(runtime.start(site, container(pod), 0, exited::countDown), exited);
        Exit exit = run.awaitExit();
        assertThat(log(run)).contains("fast").contains("/root/atoll-workspace");
        assertThat(exit.code()).isZero();
        assertThat(exit.message()).isEqualTo("done\n");
        assertThat(Path.of("/atoll-workspace")).doesNotExist();
    }

    @Test
    void namesFromObjectsDoNotLeaveThePodsFolder() {
        host.create(HostTypes.CONFIG_MAPS, "default", Json.parse("""
                {"metadata":{"name":"evil"},"data":{"..data":"x"}}"""));
        for (String volume : List.of(
                "{\"name\":\"v\",\"configMap\":{\"name\":\"evil\"}}",
                "{\"name\":\"v\",\"configMap\":{\"name\":\"evil\",\"items\":[{\"key\":\"..data\",\"path\":\"../../x\"}]}}",
                "{\"name\":\"v\",\"configMap\":{\"name\":\"evil\",\"items\":[{\"key\":\"..data\",\"path\":\"/etc/x\"}]}}",
                "{\"name\":\"../v\",\"emptyDir\":{}}")) {
            ObjectNode pod = pod("{\"name\":\"main\",\"command\":[\"true\"]}");
            ((ObjectNode) pod.path("spec")).putArray("volumes").add(Json.parse(volume));
            assertThatThrownBy(() -> runtime.prepare(site(pod)))
                    .as(volume)
                    .isInstanceOf(SetupException.class)
                    .hasMessageContaining("MountVolume.SetUp failed");
        }
    }

    private record Run(Attempt attempt, CountDownLatch exited) {
        Exit awaitExit() throws InterruptedException {
            assertThat(exited.await(30, TimeUnit.SECONDS)).isTrue();
            return attempt.exit().orElseThrow();
        }
    }

    private Run start(ObjectNode pod, int number) throws SetupException {
        CountDownLatch exited = new CountDownLatch(1);
        runtime.prepare(site(pod));
        return new Run(runtime.start(site(pod), container(pod), number, exited::countDown), exited);
    }

    private static ObjectNode container(ObjectNode pod) {
        return (ObjectNode) pod.path("spec").path("containers").get(0);
    }

    private static ObjectNode pod(String container) {
        return Json.parse("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"default","uid":"u1"},
                 "spec":{"containers":[%s]}}""".formatted(container));
    }

    private PodSite site(ObjectNode pod) {
        return new PodSite(
                pod,
                "node-1",
                "127.0.0.1",
                "127.64.0.1",
                dir.resolve("pods/u1"),
                Map.of("gpu", List.of("GPU-1", "GPU-2")),
                Map.of());
    }

    private static String log(Run run) throws IOException {
        return Files.readString(LogReader.file(((ProcessAttempt) run.attempt).logFolder(), 1));
    }

    /** SIGKILL has been sent; the kernel needs a moment. */
    private static void awaitDeath(long pid) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (Files.exists(Path.of("/proc/" + pid)) && !zombie(pid)) {
            assertThat(System.nanoTime()).as("process " + pid + " lives on").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static boolean zombie(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z");
        } catch (IOException _) {
            return true;
        }
    }

    private Path fifo(String name) throws IOException {
        Path path = dir.resolve(name);
        Libc.makeFifo(path);
        return path;
    }
}
