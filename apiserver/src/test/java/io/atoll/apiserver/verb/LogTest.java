package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.ClusterOptions;
import io.atoll.base.TenantId;
import io.atoll.model.Json;
import io.atoll.model.pod.ByteSink;
import io.atoll.model.pod.ExecOptions;
import io.atoll.model.pod.ExecStreams;
import io.atoll.model.pod.LogOptions;
import io.atoll.model.pod.PodStreams;
import io.atoll.store.sqlite.SqliteStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A log is followed from before its container starts. */
class LogTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @TempDir
    Path folder;

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture(
                ClusterOptions.of(SqliteStore.open(folder.resolve("store.db"))).withPodStreams(new StatusAsLog()));
        api.post(
                "/api/v1/namespaces/default/serviceaccounts",
                "{apiVersion: v1, kind: ServiceAccount, metadata: {name: default}}");
        assertThat(api.post(PODS, """
                {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: main, image: i}]}}""").status()).isEqualTo(201);
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void aFollowerWaitsForTheContainer() throws Exception {
        Reader reader = new Reader();
        CompletableFuture<Void> followed = follow(reader);
        reader.waits.await(20, TimeUnit.SECONDS);
        bind();
        setState("{\"waiting\": {\"reason\": \"ContainerCreating\"}}");
        assertThat(followed).isNotDone();
        setState("{\"running\": {}}");
        followed.get(20, TimeUnit.SECONDS);
        assertThat(reader.bytes.toString(StandardCharsets.UTF_8)).isEqualTo("{\"running\":{}}");
    }

    @Test
    void aFollowerDoesNotWaitForWhatCannotStart() throws Exception {
        Reader reader = new Reader();
        CompletableFuture<Void> followed = follow(reader);
        reader.waits.await(20, TimeUnit.SECONDS);
        bind();
        setState("{\"waiting\": {\"reason\": \"CreateContainerConfigError\"}}");
        followed.get(20, TimeUnit.SECONDS);
        assertThat(reader.bytes.toString(StandardCharsets.UTF_8)).contains("CreateContainerConfigError");
    }

    @Test
    void aFollowerStopsToWaitWhenThePodOrTheReaderGoes() throws Exception {
        Reader left = new Reader();
        CompletableFuture<Void> first = follow(left);
        left.waits.await(20, TimeUnit.SECONDS);
        left.leave();
        first.get(20, TimeUnit.SECONDS);
        Reader stays = new Reader();
        CompletableFuture<Void> second = follow(stays);
        stays.waits.await(20, TimeUnit.SECONDS);
        api.delete(PODS + "/p");
        second.get(20, TimeUnit.SECONDS);
    }

    @Test
    void nothingIsProxied() {
        assertThat(api.get(PODS + "/p/proxy/x").status()).isEqualTo(404);
        assertThat(api.get(PODS + "/p/proxy").status()).isEqualTo(404);
    }

    private CompletableFuture<Void> follow(Reader reader) {
        ApiRequest request = new ApiRequest(
                "GET", PODS + "/p/log", Map.of("follow", List.of("true")), Map.of(), new byte[0], ApiFixture.ADMIN);
        ApiResponse.Stream stream = (ApiResponse.Stream) api.api.handle(request);
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        stream.body().writeTo(reader);
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                },
                Thread::startVirtualThread);
    }

    private void bind() {
        assertThat(api.post(PODS + "/p/binding", """
                {apiVersion: v1, kind: Binding, metadata: {name: p}, target: {kind: Node, name: n}}""").status()).isEqualTo(201);
    }

    private void setState(String state) {
        ApiFixture.Answer answer = api.patch(
                PODS + "/p/status",
                "application/merge-patch+json",
                "{\"status\": {\"containerStatuses\": [{\"name\": \"main\", \"image\": \"i\", \"imageID\": \"\","
                        + " \"ready\": false, \"restartCount\": 0, \"state\": " + state + "}]}}");
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    }

    /** Collects; counts down once somebody waits for it to leave. */
    private static final class Reader implements ByteSink {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CountDownLatch waits = new CountDownLatch(1);
        private volatile Runnable onLeave = () -> {};
        private volatile boolean left;

        @Override
        public void write(byte[] chunk) {
            bytes.writeBytes(chunk);
        }

        @Override
        public boolean closed() {
            return left;
        }

        @Override
        public void onClose(Runnable action) {
            onLeave = action;
            waits.countDown();
        }

        private void leave() {
            left = true;
            onLeave.run();
        }
    }

    /** Writes the container's state where its log would be. */
    private static final class StatusAsLog implements PodStreams {
        @Override
        public void logs(TenantId tenant, ObjectNode pod, LogOptions options, ByteSink sink) throws IOException {
            sink.write(Json.encode(
                    pod.path("status").path("containerStatuses").path(0).path("state")));
        }

        @Override
        public int exec(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int attach(TenantId tenant, ObjectNode pod, ExecOptions options, ExecStreams streams) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void portForward(TenantId tenant, ObjectNode pod, int port, ExecStreams streams) {
            throw new UnsupportedOperationException();
        }
    }
}
