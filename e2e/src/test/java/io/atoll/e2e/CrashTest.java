package io.atoll.e2e;

import io.atoll.client.Client;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The host's process is killed at full write load, again and again. */
class CrashTest {
    private static final int ROUNDS = 10;
    private static final int WRITERS = 16;
    private static final int ACKNOWLEDGED_BEFORE_KILL = 1_000;
    private static final ResourceType CONFIG_MAPS = ResourceType.of("", "v1", "configmaps", "ConfigMap", true);

    @Test
    void everyAcknowledgedWriteSurvivesSigkill() throws Exception {
        try (EmbeddedHost host = EmbeddedHost.up("--nodes", "1:cpu")) {
            host.atoll("create", "crash", "--connect=false").ok();
            // The tenant keeps its port and keys, so one client serves all rounds.
            Client client = TenantClient.of(host, "crash");
            Map<String, Long> acknowledged = new HashMap<>();
            long highest = 0;
            for (int round = 0; round < ROUNDS; round++) {
                Map<String, Long> written = writeUntilKilled(host, client, round);
                assertThat(written).hasSizeGreaterThanOrEqualTo(ACKNOWLEDGED_BEFORE_KILL);
                acknowledged.putAll(written);
                highest = Math.max(
                        highest,
                        written.values().stream()
                                .mapToLong(Long::longValue)
                                .max()
                                .orElse(0));

                host.atoll("up", "--detach").ok();
                ObjectNode list = client.list(CONFIG_MAPS, "default", Client.ListOptions.ALL);
                assertThat(Long.parseLong(
                                list.path("metadata").path("resourceVersion").asString("0")))
                        .as("resourceVersion after round %d", round)
                        .isGreaterThanOrEqualTo(highest);
                Map<String, Long> found = new HashMap<>();
                list.path("items").forEach(item -> {
                    String name = item.path("metadata").path("name").asString("");
                    if (name.startsWith("w-")) {
                        assertThat(item.path("data").path("payload").asString(""))
                                .isEqualTo(payload(name));
                        found.put(
                                name,
                                Long.parseLong(item.path("metadata")
                                        .path("resourceVersion")
                                        .asString("")));
                    }
                });
                assertThat(found)
                        .as("acknowledged objects after round %d", round)
                        .containsAllEntriesOf(acknowledged);
            }
        }
    }

    /** Writes from all writers, kills the host in the midst of it, and returns what was acknowledged. */
    private static Map<String, Long> writeUntilKilled(EmbeddedHost host, Client client, int round)
            throws InterruptedException {
        Map<String, Long> acknowledged = new ConcurrentHashMap<>();
        AtomicInteger count = new AtomicInteger();
        CountDownLatch enough = new CountDownLatch(1);
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                writers.submit(() -> {
                    for (int i = 0; ; i++) {
                        String name = "w-" + round + "-" + number + "-" + i;
                        ObjectNode object = Json.object();
                        object.putObject("metadata").put("name", name);
                        object.putObject("data").put("payload", payload(name));
                        try {
                            ObjectNode created = client.create(CONFIG_MAPS, "default", object);
                            acknowledged.put(
                                    name,
                                    Long.parseLong(created.path("metadata")
                                            .path("resourceVersion")
                                            .asString("")));
                        } catch (ApiException | java.io.UncheckedIOException killed) {
                            return;
                        }
                        if (count.incrementAndGet() == ACKNOWLEDGED_BEFORE_KILL) {
                            enough.countDown();
                        }
                    }
                });
            }
            enough.await();
            host.kill();
        }
        return acknowledged;
    }

    private static String payload(String name) {
        return (name + ";").repeat(40);
    }
}
