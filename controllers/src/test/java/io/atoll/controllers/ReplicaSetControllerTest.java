package io.atoll.controllers;

import io.atoll.client.Client;
import io.atoll.client.ObjectCache;
import io.atoll.model.Metadata;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
final class ReplicaSetControllerTest {
    private static final String WEB = """
            metadata: {name: web}
            spec:
              replicas: 3
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}, annotations: {note: kept}}
                spec: {containers: [{name: main, image: web:1}]}
            """;

    @Test
    void keepsAsManyPodsAsAreAskedFor() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            ObjectNode set = fixture.apply(Kinds.REPLICA_SETS, WEB);
            ObjectNode ready = fixture.cluster.await(
                    Kinds.REPLICA_SETS,
                    "default",
                    "web",
                    object -> ControllerFixture.count(object, "readyReplicas") == 3);
            assertThat(ControllerFixture.count(ready, "replicas")).isEqualTo(3);
            assertThat(ControllerFixture.count(ready, "availableReplicas")).isEqualTo(3);
            assertThat(ControllerFixture.count(ready, "fullyLabeledReplicas")).isEqualTo(3);
            List<ObjectNode> pods = fixture.cluster.list(Kinds.PODS, "default");
            assertThat(pods).hasSize(3).allSatisfy(pod -> {
                assertThat(Metadata.name(pod)).matches("web-[a-z0-9]{5}");
                assertThat(ControllerFixture.ownedBy(pod, set)).isTrue();
                assertThat(Metadata.annotation(pod, "note")).isEqualTo("kept");
            });

            fixture.client.delete(Kinds.PODS, "default", Metadata.name(pods.getFirst()), Client.DeleteOptions.DEFAULT);
            fixture.cluster.awaitAll(
                    Kinds.PODS,
                    "default",
                    now -> now.size() == 3
                            && !now.contains(pods.getFirst())
                            && now.stream().noneMatch(Metadata::deleting));

            fixture.mergePatch(Kinds.REPLICA_SETS, "web", "{\"spec\":{\"replicas\":1}}");
            fixture.cluster.awaitAll(Kinds.PODS, "default", now -> now.size() == 1);
            fixture.cluster.await(
                    Kinds.REPLICA_SETS,
                    "default",
                    "web",
                    object -> ControllerFixture.count(object, "replicas") == 1
                            && object.path("status").path("observedGeneration").asInt(0) == 2);
            fixture.awaitEvent(Kinds.REPLICA_SETS, "web", "SuccessfulCreate");
            fixture.awaitEvent(Kinds.REPLICA_SETS, "web", "SuccessfulDelete");
        }
    }

    @Test
    void adoptsOrphansAndLetsGoOfPodsThatNoLongerMatch() {
        try (ControllerFixture fixture = new ControllerFixture()) {
            fixture.apply(Kinds.PODS, """
                    metadata: {name: stray, labels: {app: web}}
                    spec: {containers: [{name: main, image: web:1}]}
                    """);
            ObjectNode set = fixture.apply(Kinds.REPLICA_SETS, WEB);
            fixture.cluster.await(Kinds.PODS, "default", "stray", pod -> ControllerFixture.ownedBy(pod, set));
            fixture.cluster.awaitAll(Kinds.PODS, "default", pods -> pods.size() == 3);

            fixture.mergePatch(Kinds.PODS, "stray", "{\"metadata\":{\"labels\":{\"app\":\"other\"}}}");
            fixture.cluster.await(
                    Kinds.PODS,
                    "default",
                    "stray",
                    pod -> Metadata.ownerReferences(pod).isEmpty());
            fixture.cluster.awaitAll(Kinds.PODS, "default", pods -> pods.size() == 4);
        }
    }

    /** However late the cache is, no more pods are ever created than are missing. */
    @TestFactory
    Stream<DynamicTest> neverCreatesTooManyUnderALateCache() {
        return LongStream.rangeClosed(1, 10)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> lateCache(seed)));
    }

    private static void lateCache(long seed) {
        Set<String> everCreated = ConcurrentHashMap.newKeySet();
        AtomicReference<LaggingCache> late = new AtomicReference<>();
        BuiltInControllers.Options options =
                BuiltInControllers.Options.all("").only(BuiltInControllers.Name.REPLICA_SET);
        try (ControllerFixture fixture = new ControllerFixture(options, (_, cache) -> {
                    late.set(new LaggingCache(cache, seed));
                    return late.get();
                });
                LaggingCache _ = late.get();
                ObjectCache.Subscription _ = fixture.cluster.cache().subscribe(Kinds.PODS, (before, after) -> {
                    if (after != null) {
                        everCreated.add(after.metadata().uid());
                    }
                })) {
            fixture.apply(Kinds.REPLICA_SETS, WEB.replace("replicas: 3", "replicas: 20"));
            ObjectNode settled = fixture.cluster.await(
                    Kinds.REPLICA_SETS, "default", "web", set -> ControllerFixture.count(set, "readyReplicas") == 20);
            assertThat(ControllerFixture.count(settled, "replicas")).isEqualTo(20);
            assertThat(everCreated).hasSize(20);
        }
    }
}
