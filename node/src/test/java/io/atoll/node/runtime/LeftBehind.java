package io.atoll.node.runtime;

import io.atoll.base.Timers;
import io.atoll.model.Json;
import io.atoll.node.FakeHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.node.ObjectNode;

/** A process that starts a container and is then killed: the first agent of {@link KilledAgentTest}. */
public final class LeftBehind {
    private LeftBehind() {}

    /** @param arguments the runtime's folder, the pod's folder, the pod, and a file to say that it has started */
    public static void main(String[] arguments) throws IOException, SetupException, InterruptedException {
        ObjectNode pod = Json.parse(Files.readAllBytes(Path.of(arguments[2])));
        ProcessRuntime runtime =
                new ProcessRuntime(new FakeHost(), Path.of(arguments[0]), Map.of(), 1 << 20, 3, Timers.system());
        PodSite site = new PodSite(pod, "node-1", "127.0.0.1", "127.64.0.1", Path.of(arguments[1]), Map.of(), Map.of());
        runtime.prepare(site);
        ObjectNode container = (ObjectNode) pod.path("spec").path("containers").get(0);
        runtime.start(site, container, 0, () -> {});
        Files.createFile(Path.of(arguments[3]));
        new CountDownLatch(1).await();
    }
}
