package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiRequest;
import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.ClusterOptions;
import io.atoll.apiserver.UserInfo;
import io.atoll.apiserver.authz.Authorizer.Decision;
import io.atoll.apiserver.registry.Extension;
import io.atoll.store.sqlite.SqliteStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What happens at the edges: races, slow readers, forgotten revisions, users without rights. */
class LimitsTest {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir
    Path folder;

    private static String configMap(String name) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {a: b}}";
    }

    @Test
    void patchesThatRaceAllWin() throws Exception {
        try (ApiFixture api = new ApiFixture(folder);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            api.post(CONFIG_MAPS, configMap("one"));
            List<Future<Integer>> patches = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                String patch = "{\"data\":{\"k" + i + "\":\"v\"}}";
                patches.add(threads.submit(() -> api.patch(CONFIG_MAPS + "/one", "application/merge-patch+json", patch)
                        .status()));
            }
            for (Future<Integer> patch : patches) {
                assertThat(patch.get()).isEqualTo(200);
            }
            assertThat(api.get(CONFIG_MAPS + "/one").body().path("data")).hasSize(33);
        }
    }

    @Test
    void creatorsOfOneNameHaveOneWinner() throws Exception {
        try (ApiFixture api = new ApiFixture(folder);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> creations = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                creations.add(threads.submit(
                        () -> api.post(CONFIG_MAPS, configMap("one")).status()));
            }
            int created = 0;
            for (Future<Integer> creation : creations) {
                created += creation.get() == 201 ? 1 : 0;
            }
            assertThat(created).isEqualTo(1);
        }
    }

    @Test
    void aReaderThatIsTooFarBehindLosesItsWatch() throws Exception {
        try (ApiFixture api = new ApiFixture(folder)) {
            ApiRequest request = new ApiRequest(
                    "GET", CONFIG_MAPS, Map.of("watch", List.of("1")), Map.of(), new byte[0], ApiFixture.ADMIN);
            ApiResponse.Watch watch = (ApiResponse.Watch) api.api.handle(request);
            AtomicInteger offers = new AtomicInteger();
            CountDownLatch refused = new CountDownLatch(1);
            watch.body().start(new ApiResponse.WatchSink() {
                @Override
                public boolean offer(byte[] event) {
                    offers.incrementAndGet();
                    refused.countDown();
                    return false;
                }

                @Override
                public void end() {}

                @Override
                public void onClose(Runnable action) {}
            });
            api.post(CONFIG_MAPS, configMap("a"));
            assertThat(refused.await(10, TimeUnit.SECONDS)).isTrue();
            ApiFixture.Events other = api.watch(CONFIG_MAPS + "?watch=1");
            assertThat(other.next()).isEqualTo("ADDED a");
            api.post(CONFIG_MAPS, configMap("b"));
            assertThat(other.next()).isEqualTo("ADDED b");
            assertThat(offers).hasValue(1);
        }
    }

    @Test
    void manyChangesAreReplayedFromTheStore() {
        try (ApiFixture api = new ApiFixture(folder)) {
            String version = api.post(CONFIG_MAPS, configMap("first")).text("metadata", "resourceVersion");
            for (int i = 0; i < 300; i++) {
                api.post(CONFIG_MAPS, configMap("c" + i));
            }
            ApiFixture.Events events = api.watch(CONFIG_MAPS + "?watch=1&resourceVersion=" + version);
            for (int i = 0; i < 300; i++) {
                assertThat(events.next()).isEqualTo("ADDED c" + i);
            }
            api.delete(CONFIG_MAPS + "/c7");
            assertThat(events.next()).isEqualTo("DELETED c7");
        }
    }

    @Test
    void aRevisionFromTheFutureIsRefused() {
        try (ApiFixture api = new ApiFixture(folder)) {
            ApiFixture.Answer answer = api.get(CONFIG_MAPS + "?resourceVersion=1000000");
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.text("message")).startsWith("Timeout: Too large resource version: 1000000, current: ");
        }
    }

    @Test
    void whoMayNotLookLearnsNothing() {
        Extension readersOnly = (_, registrar) -> registrar.authorizer(wanted ->
                wanted.user().groups().contains(UserInfo.SYSTEM_MASTERS) ? Decision.allow("") : Decision.deny(""));
        ClusterOptions options =
                ClusterOptions.of(SqliteStore.open(folder.resolve("store.db"))).withExtensions(List.of(readersOnly));
        try (ApiFixture api = new ApiFixture(options)) {
            api.post(CONFIG_MAPS, configMap("there"));
            UserInfo user = UserInfo.of("eve");
            for (String name : new String[] {"there", "missing"}) {
                for (Map.Entry<String, String> verb : Map.of(
                                "GET", "get", "DELETE", "delete", "PUT", "update", "PATCH", "patch")
                        .entrySet()) {
                    ApiFixture.Answer answer = api.as(
                            user,
                            verb.getKey(),
                            CONFIG_MAPS + "/" + name,
                            "{}".getBytes(StandardCharsets.UTF_8),
                            Map.of());
                    assertThat(answer.status()).isEqualTo(403);
                    assertThat(answer.text("message"))
                            .isEqualTo(
                                    "configmaps \"" + name + "\" is forbidden: User \"eve\" cannot " + verb.getValue()
                                            + " resource \"configmaps\" in API group \"\" in the namespace \"default\"");
                }
            }
            assertThat(api.as(user, "GET", "/apis/no.such/v1/things", null, Map.of())
                            .status())
                    .isEqualTo(403);
            assertThat(api.as(user, "GET", "/metrics", null, Map.of()).text("message"))
                    .isEqualTo("forbidden: User \"eve\" cannot get path \"/metrics\"");
        }
    }

    @Test
    void nothingIsCreatedOrSweptWithoutANamespace() {
        try (ApiFixture api = new ApiFixture(folder)) {
            assertThat(api.post("/api/v1/configmaps", configMap("lost")).status())
                    .isEqualTo(405);
            assertThat(api.delete("/api/v1/configmaps").status()).isEqualTo(405);
            assertThat(api.post("/api/v1/namespaces//configmaps", configMap("lost"))
                            .status())
                    .isEqualTo(405);
        }
    }

    @Test
    void whatWasStoredIsThereAfterReopening() {
        try (ApiFixture api = new ApiFixture(folder)) {
            api.post(CONFIG_MAPS, configMap("kept"));
        }
        try (ApiFixture api = new ApiFixture(folder)) {
            assertThat(api.get(CONFIG_MAPS + "/kept").text("data", "a")).isEqualTo("b");
            assertThat(api.get("/api/v1/namespaces").body().path("items")).hasSize(4);
        }
    }
}
