package io.atoll.node.runtime;

import io.atoll.base.Timers;
import io.atoll.model.Json;
import io.atoll.node.FakeHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** SIGKILL of the process that hosts the agent, with a container at work. */
class KilledAgentTest {
    @TempDir
    Path dir;

    @Test
    void whatAContainerPrintsAndHowItEndsIsNotLostWithItsAgent() throws Exception {
        Path go = dir.resolve("go");
        Path ended = dir.resolve("ended");
        // Prints while nobody reads, and ends before anybody comes back.
        ObjectNode pod = Json.parse("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"default","uid":"u1"},
                 "spec":{"containers":[{"name":"main","command":["/bin/sh","-c",
                   "echo before; while [ ! -e %s ]; do sleep 0.05; done; echo during; touch %s; exit 9"]}]}}""".formatted(go, ended));
        Path saved = Files.write(dir.resolve("pod.json"), Json.encode(pod));
        Path started = dir.resolve("started");
        Process agent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LeftBehind.class.getName(),
                        dir.resolve("runtime").toString(),
                        dir.resolve("pods/u1").toString(),
                        saved.toString(),
                        started.toString())
                .inheritIO()
                .start();
        awaitFile(started);
        agent.destroyForcibly().waitFor();
        Files.createFile(go);
        awaitFile(ended);

        ProcessRuntime runtime =
                new ProcessRuntime(new FakeHost(), dir.resolve("runtime"), Map.of(), 1 << 20, 3, Timers.system());
        PodSite site =
                new PodSite(pod, "node-1", "127.0.0.1", "127.64.0.1", dir.resolve("pods/u1"), Map.of(), Map.of());
        CountDownLatch exited = new CountDownLatch(1);
        ObjectNode container = (ObjectNode) pod.path("spec").path("containers").get(0);
        List<Attempt> adopted = runtime.adopt(site, container, exited::countDown);
        assertThat(adopted).hasSize(1);
        assertThat(exited.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(adopted.getFirst().exit().orElseThrow().code()).isEqualTo(9);
        assertThat(Files.readString(LogReader.file(((ProcessAttempt) adopted.getFirst()).logFolder(), 1)))
                .contains("before", "during");
        runtime.close();
    }

    private static void awaitFile(Path file) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!Files.exists(file)) {
            assertThat(System.nanoTime()).as("no " + file).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
