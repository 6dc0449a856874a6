package io.atoll.model.patch;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Yaml;
import io.atoll.model.schema.Schema;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StrategicMergePatchTest {
    private static final Schema SCHEMA = WorkloadSchema.deployment();

    private record Row(String name, String tree, String patch, String result) {}

    @TestFactory
    Stream<DynamicTest> patches() {
        return Stream.of(
                        new Row(
                                "fields merge",
                                "{spec: {replicas: 1}}",
                                "{spec: {paused: true}}",
                                "{spec: {replicas: 1, paused: true}}"),
                        new Row(
                                "null removes",
                                "{spec: {replicas: 1, paused: true}}",
                                "{spec: {paused: null}}",
                                "{spec: {replicas: 1}}"),
                        new Row(
                                "null of what is not there adds nothing",
                                "{spec: {}}",
                                "{spec: {strategy: {type: null, rollingUpdate: {a: b}}}}",
                                "{spec: {strategy: {rollingUpdate: {a: b}}}}"),
                        new Row(
                                "items merge by key",
                                "{spec: {containers: [{name: a, image: x}, {name: b, image: y}]}}",
                                "{spec: {containers: [{name: b, image: z}, {name: c}]}}",
                                "{spec: {containers: [{name: a, image: x}, {name: b, image: z}, {name: c}]}}"),
                        new Row(
                                "items below items",
                                "{spec: {containers: [{name: a, ports: [{containerPort: 1}]}]}}",
                                "{spec: {containers: [{name: a, ports: [{containerPort: 2}, {containerPort: 1, name: n}]}]}}",
                                "{spec: {containers: [{name: a, ports: [{containerPort: 1, name: n}, {containerPort: 2}]}]}}"),
                        new Row(
                                "an item is deleted", "{spec: {containers: [{name: a}, {name: b}]}}",
                                "{spec: {containers: [{name: a, $patch: delete}]}}",
                                        "{spec: {containers: [{name: b}]}}"),
                        new Row(
                                "a list is replaced", "{spec: {containers: [{name: a}, {name: b}]}}",
                                "{spec: {containers: [{name: c}, {$patch: replace}]}}",
                                        "{spec: {containers: [{name: c}]}}"),
                        new Row(
                                "an object is replaced", "{spec: {strategy: {type: x, rollingUpdate: {a: b}}}}",
                                "{spec: {strategy: {$patch: replace, type: y}}}", "{spec: {strategy: {type: y}}}"),
                        new Row(
                                "an object is emptied", "{spec: {strategy: {type: x}}}",
                                "{spec: {strategy: {$patch: delete}}}", "{spec: {strategy: {}}}"),
                        new Row(
                                "retained keys",
                                "{spec: {strategy: {type: x, rollingUpdate: {a: b}}}}",
                                "{spec: {strategy: {$retainKeys: [type], type: Recreate}}}",
                                "{spec: {strategy: {type: Recreate}}}"),
                        new Row(
                                "lists without a strategy are replaced", "{spec: {tolerations: [{a: b}]}}",
                                "{spec: {tolerations: [{c: d}]}}", "{spec: {tolerations: [{c: d}]}}"),
                        new Row(
                                "plain values are added once", "{metadata: {finalizers: [a, b]}}",
                                "{metadata: {finalizers: [b, c]}}", "{metadata: {finalizers: [a, b, c]}}"),
                        new Row(
                                "plain values are deleted", "{metadata: {finalizers: [a, b]}}",
                                "{metadata: {$deleteFromPrimitiveList/finalizers: [a]}}",
                                        "{metadata: {finalizers: [b]}}"),
                        new Row(
                                "the order asked for",
                                "{spec: {containers: [{name: a}, {name: s}, {name: b}]}}",
                                "{spec: {$setElementOrder/containers: [{name: c}, {name: b}, {name: a}], containers: [{name: c}]}}",
                                "{spec: {containers: [{name: c}, {name: s}, {name: b}, {name: a}]}}"),
                        new Row(
                                "order alone",
                                "{spec: {containers: [{name: a}, {name: b}]}}",
                                "{spec: {$setElementOrder/containers: [{name: b}, {name: a}]}}",
                                "{spec: {containers: [{name: b}, {name: a}]}}"),
                        new Row(
                                "a server's item keeps its place",
                                "{spec: {containers: [{name: s}, {name: a}]}}",
                                "{spec: {$setElementOrder/containers: [{name: a}, {name: b}], containers: [{name: b}]}}",
                                "{spec: {containers: [{name: s}, {name: a}, {name: b}]}}"),
                        new Row(
                                "directives leave no trace in what is new",
                                "{}",
                                "{spec: {containers: [{name: a, $patch: delete}, {name: b, image: null}], strategy: {$retainKeys: [type], type: x}}}",
                                "{spec: {containers: [{name: b}], strategy: {type: x}}}"))
                .map(row -> DynamicTest.dynamicTest(
                        row.name(),
                        () -> assertThat(StrategicMergePatch.apply(
                                        SCHEMA, Yaml.parse(row.tree()), Yaml.parse(row.patch())))
                                .isEqualTo(Yaml.parse(row.result()))));
    }

    @Test
    void refusesBadDirectives() {
        assertThatThrownBy(() ->
                        StrategicMergePatch.apply(SCHEMA, Yaml.parse("{spec: {}}"), Yaml.parse("{spec: {$patch: x}}")))
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith("unknown patch type");
        assertThatThrownBy(() -> StrategicMergePatch.apply(
                        SCHEMA,
                        Yaml.parse("{spec: {containers: [{name: a}]}}"),
                        Yaml.parse("{spec: {containers: [{image: x}]}}")))
                .hasMessageContaining("does not contain declared merge key: name");
    }

    @Test
    void mergePatchesReplaceLists() {
        assertThat(MergePatch.apply(
                        Yaml.parse("{a: [1, 2], b: {c: 1, d: 2}, e: 1}"),
                        Yaml.parse("{a: [3], b: {c: null, x: {y: null, z: 1}}, e: {f: 1}}")))
                .isEqualTo(Yaml.parse("{a: [3], b: {d: 2, x: {z: 1}}, e: {f: 1}}"));
    }

    @Test
    void jsonPatchesApplyOrAreRefused() {
        assertThat(JsonPatch.apply(Yaml.parse("{a: [1, 2], b: {}}"), Json.parseValue("""
                                [{"op":"test","path":"/a/0","value":1},{"op":"add","path":"/a/-","value":3},
                                 {"op":"add","path":"/b/x~1y","value":"z"},{"op":"remove","path":"/a/0"}]
                                """.getBytes(
                                java.nio.charset.StandardCharsets.UTF_8))))
                .isEqualTo(Yaml.parse("{a: [2, 3], b: {x/y: z}}"));
        for (String bad : new String[] {
            "[{\"op\":\"test\",\"path\":\"/b\",\"value\":1}]",
            "[{\"op\":\"remove\",\"path\":\"/zz\"}]",
            "[{\"op\":\"replace\",\"path\":\"/zz\",\"value\":1}]",
            "[{\"op\":\"add\",\"path\":\"/zz/y\",\"value\":1}]",
            "[{\"op\":\"nonsense\",\"path\":\"/b\"}]"
        }) {
            assertThatThrownBy(() -> JsonPatch.apply(
                            Yaml.parse("{b: 2}"),
                            Json.parseValue(bad.getBytes(java.nio.charset.StandardCharsets.UTF_8))))
                    .as(bad)
                    .isInstanceOf(ApiException.class);
        }
    }

    @Test
    void copiesOfCopiesAreBounded() {
        assertThat(JsonPatch.apply(Yaml.parse("{a: {b: [1]}}"), Json.parseValue("""
                        [{"op":"copy","from":"/a","path":"/a/c"},{"op":"add","path":"/a/c/b/-","value":2},
                         {"op":"copy","from":"/a/c/b/1","path":"/d"}]""".getBytes(UTF_8))))
                .isEqualTo(Yaml.parse("{a: {b: [1], c: {b: [1, 2]}}, d: 2}"));
        StringBuilder bomb = new StringBuilder("[{\"op\":\"add\",\"path\":\"/a\",\"value\":{\"b\":1}}");
        for (int i = 0; i < 40; i++) {
            bomb.append(",{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/a/k")
                    .append(i)
                    .append("\"}");
        }
        assertThatThrownBy(() -> JsonPatch.apply(Json.object(), Json.parseValue((bomb + "]").getBytes(UTF_8))))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.code()).isEqualTo(413));
        String many = "[" + "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\"},".repeat(JsonPatch.COPIES_MAX)
                + "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\"}]";
        assertThatThrownBy(() -> JsonPatch.apply(Yaml.parse("{a: 1}"), Json.parseValue(many.getBytes(UTF_8))))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.code()).isEqualTo(413));
    }
}
