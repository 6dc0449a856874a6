package io.atoll.cli;

import io.atoll.client.Client;
import io.atoll.client.Transport;
import io.atoll.model.ApiException;
import io.atoll.model.Json;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Watches one TenantCluster until something is so. One thread. */
final class TenantWait {
    private static final long WAIT_MAX_SECONDS = 120;
    private static final byte[] END = new byte[0];

    private TenantWait() {}

    /**
     * Returns when the tenant is ready as of the generation that was written.
     *
     * @throws CommandFailure when the operator says that it cannot be, with the operator's reason
     */
    static void untilReady(Client client, String namespace, String name, ObjectNode written) {
        long generation = written.path("metadata").path("generation").asLong(0);
        until(client, namespace, name, written, event -> {
            JsonNode tenant = event.path("object");
            for (JsonNode condition : tenant.path("status").path("conditions")) {
                if (condition.path("type").asString("").equals("Ready")
                        && condition.path("observedGeneration").asLong(0) >= generation) {
                    if (condition.path("status").asString("").equals("True")) {
                        return true;
                    }
                    if (condition.path("reason").asString("").endsWith("Failed")
                            || condition.path("reason").asString("").startsWith("Invalid")) {
                        throw new CommandFailure("tenant '" + name + "' cannot run: "
                                + condition.path("message").asString(""));
                    }
                }
            }
            return false;
        });
    }

    /** Returns when the tenant has gone. */
    static void untilGone(Client client, String namespace, String name, ObjectNode last) {
        until(
                client,
                namespace,
                name,
                last,
                event -> event.path("type").asString("").equals("DELETED"));
    }

    private static void until(
            Client client, String namespace, String name, ObjectNode from, Predicate<JsonNode> reached) {
        ObjectNode first = Json.object();
        first.put("type", "MODIFIED").set("object", from);
        if (reached.test(first)) {
            return;
        }
        LinkedBlockingQueue<byte[]> events = new LinkedBlockingQueue<>();
        Client.ListOptions options = new Client.ListOptions(
                "",
                "metadata.name=" + name,
                from.path("metadata").path("resourceVersion").asString(""),
                0,
                "");
        Transport.WatchSink sink = new Transport.WatchSink() {
            @Override
            public void onEvent(byte[] event) {
                events.add(event);
            }

            @Override
            public void onEnd() {
                events.add(END);
            }
        };
        try (Transport.Stream _ = client.watch(TenantClusters.TYPE, namespace, options, sink)) {
            while (true) {
                byte[] event = events.poll(WAIT_MAX_SECONDS, TimeUnit.SECONDS);
                if (event == null) {
                    throw new CommandFailure("tenant '" + name + "' has not got there in " + WAIT_MAX_SECONDS
                            + " s; see 'atoll describe " + name + " -n " + namespace + "'");
                }
                if (event.length == 0) {
                    throw new CommandFailure("the host closed the connection; is it still running? See 'atoll up'");
                }
                if (reached.test(Json.parse(event))) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted");
        } catch (ApiException e) {
            throw new CommandFailure("cannot watch tenant '" + name + "': " + e.getMessage());
        }
    }
}
