package io.atoll.bench.provision;

import io.atoll.client.Transport;
import io.atoll.model.Json;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;

/** Opens a latch when a watched TenantCluster is ready. */
record ReadySink(CountDownLatch ready) implements Transport.WatchSink {
    @Override
    public void onEvent(byte[] event) {
        for (JsonNode condition :
                Json.parse(event).path("object").path("status").path("conditions")) {
            if (condition.path("type").asString("").equals("Ready")
                    && condition.path("status").asString("").equals("True")) {
                ready.countDown();
            }
        }
    }

    @Override
    public void onEnd() {}
}
