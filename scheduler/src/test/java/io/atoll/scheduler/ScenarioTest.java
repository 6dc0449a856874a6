package io.atoll.scheduler;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Yaml;
import io.atoll.scheduler.core.ClusterSnapshot;
import io.atoll.scheduler.core.PendingPod;
import io.atoll.scheduler.core.PlacedPod;
import io.atoll.scheduler.core.Plan;
import io.atoll.scheduler.core.Planner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the rows of {@code scenarios/allocate.yaml} through the readers and the planner. */
class ScenarioTest {
    private static final int SEEDS = 5;

    @TestFactory
    Stream<DynamicTest> allocate() throws IOException {
        try (InputStream rows = ScenarioTest.class.getResourceAsStream("/scenarios/allocate.yaml")) {
            assertThat(rows).isNotNull();
            String text = new String(rows.readAllBytes(), StandardCharsets.UTF_8);
            return Yaml.parseAll(text).stream()
                    .filter(row -> row.path("name").isString())
                    .map(row -> DynamicTest.dynamicTest(row.path("name").asString(""), () -> run(row)));
        }
    }

    private static void run(JsonNode row) {
        for (long seed = 0; seed < SEEDS; seed++) {
            ClusterSnapshot snapshot = new ClusterSnapshot();
            row.path("nodes").forEach(node -> snapshot.putNode(NodeReader.read(node(node))));
            List<PendingPod> pending = new ArrayList<>();
            for (JsonNode entry : row.path("pods")) {
                ObjectNode pod = pod(entry);
                String on = entry.path("on").asString("");
                PendingPod read = read(snapshot, pod);
                if (on.isEmpty()) {
                    pending.add(read);
                } else {
                    PlacedPod placed = read.on(on);
                    snapshot.putPod(placed);
                }
            }
            Map<String, String> actual = outcome(Planner.plan(snapshot, pending, seed));
            row.path("expect")
                    .properties()
                    .forEach(expected -> assertThat(actual.get(expected.getKey()))
                            .as(expected.getKey())
                            .isEqualTo(expected.getValue().asString("")));
            List<String> apart = new ArrayList<>();
            row.path("expectApart").forEach(name -> apart.add(actual.get(name.asString(""))));
            assertThat(apart).doesNotHaveDuplicates();
        }
    }

    private static Map<String, String> outcome(Plan plan) {
        Map<String, String> outcome = new HashMap<>();
        plan.bindings().forEach(binding -> outcome.put(name(binding.pod()), binding.node()));
        plan.waiting()
                .forEach(waiting ->
                        outcome.put(name(waiting.pod()), waiting.diagnosis().message()));
        return outcome;
    }

    private static String name(PendingPod pod) {
        return pod.key().substring(pod.key().indexOf('/') + 1);
    }

    private static PendingPod read(ClusterSnapshot snapshot, ObjectNode pod) {
        String namespace = Metadata.namespace(pod);
        return new PendingPod(
                namespace + "/" + Metadata.name(pod),
                Metadata.name(pod),
                namespace,
                Metadata.labels(pod),
                pod.path("spec").path("priority").asInt(0),
                Metadata.creationTimestamp(pod),
                snapshot.classOf(PodReader.shape(pod)));
    }

    private static ObjectNode node(JsonNode row) {
        ObjectNode node = Json.object();
        ObjectNode metadata = node.putObject("metadata");
        metadata.put("name", row.path("name").asString(""));
        copy(row, "labels", metadata);
        ObjectNode spec = node.putObject("spec");
        copy(row, "taints", spec);
        copy(row, "unschedulable", spec);
        copy(row, "allocatable", node.putObject("status"));
        return node;
    }

    private static ObjectNode pod(JsonNode row) {
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata");
        metadata.put("name", row.path("name").asString(""));
        metadata.put("namespace", row.path("namespace").asString("default"));
        metadata.put("creationTimestamp", row.path("created").asString("2026-01-01T00:00:00Z"));
        copy(row, "labels", metadata);
        ObjectNode spec = row.path("spec") instanceof ObjectNode given ? given.deepCopy() : Json.object();
        pod.set("spec", spec);
        copy(row, "nodeSelector", spec);
        if (row.has("requests")) {
            spec.putArray("containers").addObject().putObject("resources").set("requests", row.path("requests"));
        }
        if (row.has("requiredNodes")) {
            spec.putObject("affinity")
                    .putObject("nodeAffinity")
                    .putObject("requiredDuringSchedulingIgnoredDuringExecution")
                    .set("nodeSelectorTerms", row.path("requiredNodes"));
        }
        return pod;
    }

    private static void copy(JsonNode from, String field, ObjectNode to) {
        if (from.has(field)) {
            to.set(field, from.path(field));
        }
    }
}
