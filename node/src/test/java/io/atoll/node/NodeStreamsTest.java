package io.atoll.node;

import io.atoll.base.TenantId;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.pod.ExecOptions;
import io.atoll.model.pod.ExecStreams;
import io.atoll.model.pod.LogOptions;
import io.atoll.node.runtime.HostTypes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Logs, exec, attach and port-forward into real processes. */
class NodeStreamsTest {
    @TempDir
    Path dir;

    private final FakeHost host = new FakeHost();
    private NodeAgent agent;

    @BeforeEach
    void start() {
        agent = NodeAgent.start(
                host, host.cache(), List.of(NodeSpec.parse("1:cpu")), dir, NodeOptions.DEFAULT.withLogBounds(2_000, 9));
    }

    @AfterEach
    void stop() {
        agent.shutdown();
    }

    @Test
    void aFollowerSeesEveryLineAcrossRotationAndTheEnd() throws Exception {
        Path go = dir.resolve("go");
        ObjectNode pod = run("chatty", """
                {"name":"main","command":["/bin/sh","-c",
                  "echo begin; while [ ! -e %s ]; do sleep 0.05; done; i=0; while [ $i -lt 200 ]; do echo line $i; i=$((i+1)); done; echo end"]}""".formatted(go), "Never");
        Collected followed = new Collected();
        CompletableFuture<Void> follower = follow(pod, followed);
        followed.await("begin");
        Files.createFile(go);
        follower.get(30, TimeUnit.SECONDS);
        assertThat(followed.text().lines()).hasSize(202).startsWith("begin").endsWith("line 199", "end");
        try (var files = Files.walk(dir)) {
            assertThat(files.filter(file ->
                            file.toString().endsWith(".log") && file.toString().contains("/log/")))
                    .hasSizeBetween(4, 9);
        }
    }

    @Test
    void aFollowerThatLeavesIsLetGo() throws Exception {
        ObjectNode pod = run(
                "quiet", "{\"name\":\"main\",\"command\":[\"/bin/sh\",\"-c\",\"echo up; exec sleep 1000\"]}", "Never");
        Collected followed = new Collected();
        CompletableFuture<Void> follower = follow(pod, followed);
        followed.await("up");
        followed.leave();
        follower.get(30, TimeUnit.SECONDS);
    }

    @Test
    void tailLimitTimestampsAndSinceSelect() throws Exception {
        ObjectNode pod = run(
                "lines",
                "{\"name\":\"main\",\"command\":[\"/bin/sh\",\"-c\",\"echo one; echo two; echo three\"]}",
                "Never");
        awaitPhase("lines", "Succeeded");
        assertThat(log(pod, new LogOptions("", false, false, false, 2, -1, null)))
                .isEqualTo("two\nthree\n");
        assertThat(log(pod, new LogOptions("", false, false, false, 0, -1, null)))
                .isEmpty();
        assertThat(log(pod, new LogOptions("", false, false, false, -1, 5, null)))
                .isEqualTo("one\nt");
        assertThat(log(pod, new LogOptions("", false, false, true, 1, -1, null)))
                .matches("[0-9T:.-]{29}Z three\n");
        java.time.Instant later = java.time.Instant.now().plusSeconds(60);
        assertThat(log(pod, new LogOptions("", false, false, false, -1, -1, later)))
                .isEmpty();
    }

    @Test
    void execRunsInTheContainersFolderWithItsVariables() throws Exception {
        ObjectNode pod = run("target", """
                {"name":"main","command":["/bin/sh","-c","echo made > here; exec sleep 1000"],
                 "env":[{"name":"COLOUR","value":"teal"}]}""", "Never");
        host.await(HostTypes.PODS, "default", "target", _ -> exists("here"));
        Caller caller = new Caller("typed");
        int code = agent.streams()
                .exec(
                        TenantId.HOST,
                        pod,
                        command(true, false, "/bin/sh", "-c", "cat here; echo $COLOUR; cat; echo bad >&2; exit 4"),
                        caller);
        assertThat(code).isEqualTo(4);
        assertThat(caller.out.text()).isEqualTo("made\nteal\ntyped");
        assertThat(caller.err.text()).isEqualTo("bad\n");
    }

    @Test
    void execOnATerminalIsOnATerminal() throws Exception {
        ObjectNode pod = run("tty", "{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}", "Never");
        Caller caller = new Caller("");
        PipedOutputStream typing = new PipedOutputStream();
        caller.in = new PipedInputStream(typing);
        CompletableFuture<Integer> running = CompletableFuture.supplyAsync(() -> {
            try {
                return agent.streams().exec(TenantId.HOST, pod, command(true, true, "/bin/sh"), caller);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        typing.write("tty; stty size; echo sum-$((40+2))\n".getBytes(StandardCharsets.UTF_8));
        typing.flush();
        caller.out.await("sum-42");
        assertThat(caller.out.text()).contains("/dev/pts/").contains("40 120");
        typing.write("exit 6\n".getBytes(StandardCharsets.UTF_8));
        typing.flush();
        assertThat(running.get(30, TimeUnit.SECONDS)).isEqualTo(6);
    }

    @Test
    void execOfAMissingProgramOrIntoAnEndedContainerFails() throws Exception {
        ObjectNode pod = run("over", "{\"name\":\"main\",\"command\":[\"true\"]}", "Never");
        awaitPhase("over", "Succeeded");
        assertThatThrownBy(() -> agent.streams().exec(TenantId.HOST, pod, command(false, false, "ls"), new Caller("")))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("container not found (\"main\")");
    }

    @Test
    void attachJoinsInputAndOutput() throws Exception {
        ObjectNode pod = run("attached", """
                {"name":"main","stdin":true,"stdinOnce":true,
                 "command":["/bin/sh","-c","while read -r line; do echo got $line; done; echo bye; exit 2"]}""", "Never");
        Caller caller = new Caller("one\ntwo\n");
        int code = agent.streams()
                .attach(TenantId.HOST, pod, new ExecOptions("", List.of(), true, true, true, false), caller);
        assertThat(caller.out.text()).contains("got one\ngot two\nbye\n");
        assertThat(code).isZero();
        awaitPhase("attached", "Failed");
    }

    @Test
    void attachToATerminalTypesIntoIt() throws Exception {
        ObjectNode pod = run("shell", """
                {"name":"main","stdin":true,"tty":true,"command":["/bin/sh"]}""", "Never");
        Caller caller = new Caller("");
        PipedOutputStream typing = new PipedOutputStream();
        caller.in = new PipedInputStream(typing);
        CompletableFuture<Integer> running = CompletableFuture.supplyAsync(() -> {
            try {
                ExecOptions options = new ExecOptions("", List.of(), true, true, false, true);
                return agent.streams().attach(TenantId.HOST, pod, options, caller);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        typing.write("tty; echo sum-$((40+2))\n".getBytes(StandardCharsets.UTF_8));
        typing.flush();
        caller.out.await("sum-42");
        assertThat(caller.out.text()).contains("/dev/pts/");
        typing.write("exit 6\n".getBytes(StandardCharsets.UTF_8));
        typing.flush();
        assertThat(running.get(30, TimeUnit.SECONDS)).isZero();
        awaitPhase("shell", "Failed");
        assertThat(host.get(HostTypes.PODS, "default", "shell")
                        .path("status")
                        .path("containerStatuses")
                        .get(0)
                        .path("state")
                        .path("terminated")
                        .path("exitCode")
                        .asInt(0))
                .isEqualTo(6);
    }

    @Test
    void portsAreForwardedBothWays() throws Exception {
        ObjectNode pod = run("server", "{\"name\":\"main\",\"command\":[\"sleep\",\"1000\"]}", "Never");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            CompletableFuture<String> heard = CompletableFuture.supplyAsync(() -> {
                try (Socket socket = server.accept()) {
                    byte[] hello = socket.getInputStream().readNBytes(5);
                    socket.getOutputStream().write("world".getBytes(StandardCharsets.UTF_8));
                    return new String(hello, StandardCharsets.UTF_8);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            Caller caller = new Caller("hello");
            agent.streams().portForward(TenantId.HOST, pod, server.getLocalPort(), caller);
            assertThat(heard.get(30, TimeUnit.SECONDS)).isEqualTo("hello");
            assertThat(caller.out.text()).isEqualTo("world");
        }
    }

    private boolean exists(String name) {
        try (var files = Files.walk(dir)) {
            return files.anyMatch(file -> file.endsWith(Path.of("work", name)));
        } catch (IOException | java.io.UncheckedIOException _) {
            return false;
        }
    }

    private static ExecOptions command(boolean stdin, boolean tty, String... words) {
        return new ExecOptions("", List.of(words), stdin, true, !tty, tty);
    }

    private ObjectNode run(String name, String container, String restartPolicy) {
        host.create(HostTypes.PODS, "default", Json.parse("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s"},
                 "spec":{"nodeName":"cpu-0","restartPolicy":"%s","containers":[%s]}}""".formatted(name, restartPolicy, container)));
        return host.await(
                HostTypes.PODS,
                "default",
                name,
                pod -> !pod.path("status").path("phase").asString("Pending").equals("Pending"));
    }

    private void awaitPhase(String name, String phase) {
        host.await(
                HostTypes.PODS,
                "default",
                name,
                pod -> pod.path("status").path("phase").asString("").equals(phase));
    }

    private CompletableFuture<Void> follow(ObjectNode pod, Collected sink) {
        return CompletableFuture.runAsync(() -> {
            try {
                agent.streams()
                        .logs(TenantId.HOST, pod, new LogOptions("main", true, false, false, -1, -1, null), sink);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    private String log(ObjectNode pod, LogOptions options) throws IOException {
        Collected text = new Collected();
        agent.streams().logs(TenantId.HOST, pod, options, text);
        return text.text();
    }

    /** The caller's side of an exec. */
    private static final class Caller implements ExecStreams {
        private final Collected out = new Collected();
        private final Collected err = new Collected();
        private InputStream in;

        Caller(String typed) {
            in = new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public InputStream stdin() {
            return in;
        }

        @Override
        public OutputStream stdout() {
            return stream(out);
        }

        @Override
        public OutputStream stderr() {
            return stream(err);
        }

        @Override
        public void onResize(BiConsumer<Integer, Integer> listener) {
            listener.accept(120, 40);
        }

        @Override
        public void onClose(Runnable action) {}

        private static OutputStream stream(Collected to) {
            return new OutputStream() {
                @Override
                public void write(int b) {
                    to.write(new byte[] {(byte) b});
                }

                @Override
                public void write(byte[] bytes, int from, int length) {
                    to.write(java.util.Arrays.copyOfRange(bytes, from, from + length));
                }
            };
        }
    }
}
