package io.atoll.scheduler.grouper;

import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Metadata.OwnerReference;
import io.atoll.model.Yaml;
import io.atoll.scheduler.crd.Preemptibility;
import io.atoll.scheduler.crd.SubGroupSpec;
import io.atoll.scheduler.crd.SubGroups;
import io.atoll.scheduler.crd.TopologyConstraint;
import io.atoll.scheduler.grouper.GrouperOptions.KindDefault;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The rows of {@code grouper/*.yaml}: a pod with its owners, nearest first (those of which only the reference is known
 * before the others), and what is expected of its group. What a row does not expect is not looked at.
 */
class GrouperTest {
    private static final List<String> FILES = List.of("attributes", "built-in", "training", "clusters");
    private static final Set<String> CLASSES = Set.of("train", "build-preemptible", "build", "inference");

    static Stream<Arguments> rows() {
        return FILES.stream()
                .flatMap(GrouperTest::read)
                .map(row -> Arguments.of(row.path("name").asString(""), row));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void groups(String name, ObjectNode row) {
        Grouper grouper = new Grouper(options(row));
        Workload workload = workload(row);
        Surroundings around = new FixedSurroundings(row);
        JsonNode expect = row.path("expect");

        if (expect.has("error")) {
            assertThatThrownBy(() -> grouper.group(workload, around))
                    .as(name)
                    .isInstanceOf(GroupingException.class)
                    .hasMessage(expect.path("error").asString());
            return;
        }
        Grouping grouping = grouper.group(workload, around);

        ObjectNode actual = tree(grouping);
        for (Map.Entry<String, JsonNode> field : expect.properties()) {
            JsonNode value = actual.path(field.getKey());
            assertThat(Json.same(value, field.getValue()))
                    .as("%s of '%s': %s", field.getKey(), name, value)
                    .isTrue();
        }
        assertThat(SubGroups.valid(grouping.subGroups())).as(name).isTrue();
        assertThat(grouper.group(workload, around)).as(name).isEqualTo(grouping);
    }

    private static ObjectNode tree(Grouping grouping) {
        ObjectNode tree = Json.object();
        tree.put("name", grouping.name())
                .put("minMember", grouping.minMember())
                .put("subGroup", grouping.subGroup())
                .put("queue", grouping.queue())
                .put("class", grouping.priorityClass())
                .put(
                        "preemptibility",
                        grouping.preemptibility().map(Preemptibility::text).orElse(""))
                .put("nodePool", grouping.nodePool())
                .put("user", grouping.user())
                .put("owner", grouping.owner().kind() + "/" + grouping.owner().name());
        tree.set("topology", grouping.topology().map(TopologyConstraint::toTree).orElseGet(Json::object));
        ArrayNode parts = tree.putArray("subGroups");
        grouping.subGroups().stream().map(SubGroupSpec::toTree).forEach(parts::add);
        return tree;
    }

    private static Workload workload(JsonNode row) {
        List<Owner> owners = new ArrayList<>();
        for (JsonNode reference : row.path("unknownOwners")) {
            owners.add(Owner.unknown(OwnerReference.of(reference)));
        }
        row.path("owners").forEach(owner -> owners.add(Owner.of((ObjectNode) owner)));
        return new Workload((ObjectNode) row.path("pod"), owners);
    }

    private static GrouperOptions options(JsonNode row) {
        List<KindDefault> defaults = new ArrayList<>();
        for (JsonNode each : row.path("kindDefaults")) {
            defaults.add(new KindDefault(
                    each.path("kind").asString(""),
                    each.path("group").asString(""),
                    each.path("priorityClass").asString(""),
                    Preemptibility.of(each.path("preemptibility").asString(""))));
        }
        return GrouperOptions.DEFAULT
                .withKindDefaults(defaults)
                .withKnativeGangs(row.path("knativeGangs").asBoolean(true));
    }

    private static Stream<ObjectNode> read(String file) {
        try (InputStream in =
                Objects.requireNonNull(GrouperTest.class.getResourceAsStream("/grouper/" + file + ".yaml"), file)) {
            return Yaml.parseAll(new String(in.readAllBytes(), StandardCharsets.UTF_8)).stream()
                    .map(ObjectNode.class::cast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record FixedSurroundings(JsonNode row) implements Surroundings {
        @Override
        public boolean priorityClassExists(String name) {
            return CLASSES.contains(name);
        }

        @Override
        public Optional<ObjectNode> find(String group, String kind, String namespace, String name) {
            return row.path("objects")
                    .valueStream()
                    .filter(object -> object.path("kind").asString("").equals(kind)
                            && Metadata.name(object).equals(name))
                    .map(ObjectNode.class::cast)
                    .findFirst();
        }

        @Override
        public List<ObjectNode> podsLabelled(String namespace, String key, String value) {
            return row.path("pods")
                    .valueStream()
                    .filter(pod -> Metadata.label(pod, key).equals(value))
                    .map(ObjectNode.class::cast)
                    .toList();
        }
    }
}
