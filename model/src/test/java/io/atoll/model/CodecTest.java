package io.atoll.model;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CodecTest {
    @Test
    void jsonKeepsTheOrderOfFields() {
        String text = "{\"b\":1,\"a\":[true,null,1.5,\"x\"],\"c\":{}}";
        assertThat(Json.encodeToString(Json.parse(text))).isEqualTo(text);
    }

    @Test
    void strictParseTellsEveryDuplicate() {
        Json.Strict strict = Json.parseStrict(
                "{\"a\":1,\"s\":{\"c\":[{\"i\":1,\"i\":2}],\"n\":1},\"a\":2,\"s\":{\"n\":3}}".getBytes(UTF_8));
        assertThat(strict.duplicates()).containsExactly("s.c[0].i", "a", "s");
        assertThat(strict.tree()).isEqualTo(Json.parse("{\"a\":2,\"s\":{\"n\":3}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"a\":}", "[]", "1", "{} x"})
    void whatIsNoObjectIsABadRequest(String text) {
        for (org.assertj.core.api.ThrowableAssert.ThrowingCallable parse :
                java.util.List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                        () -> Json.parse(text), () -> Json.parseStrict(text.getBytes(UTF_8)))) {
            assertThatThrownBy(parse)
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.reason()).isEqualTo(StatusReason.BadRequest));
        }
    }

    @Test
    void numbersAreEqualWhateverTheirType() {
        assertThat(Json.same(Json.parse("{\"a\":1,\"b\":[2.0]}"), Json.parse("{\"b\":[2],\"a\":1.0}")))
                .isTrue();
        assertThat(Json.same(Json.parse("{\"a\":1}"), Json.object().put("a", 1L)))
                .isTrue();
        assertThat(Json.same(Json.parse("{\"a\":1}"), Json.parse("{\"a\":\"1\"}")))
                .isFalse();
    }

    @Test
    void yamlReadsAndWritesTheSameTree() {
        ObjectNode tree = Yaml.parse("""
                # a comment
                kind: Pod
                metadata: {name: "x", labels: {on: "yes", n: "12", v: "1.0", t: "true"}}
                spec:
                  containers:
                    - name: c
                      args: ["a: b", "#c", "", "- x", "0x1f", "1e3", "~"]
                      script: |
                        #!/bin/sh

                        echo "hi"
                  empty: {}
                  none: []
                  matrix: [[1, 2], [3]]
                  text: |-
                    two
                    lines
                  f: 1.5
                  big: 12345678901
                  nothing: null
                """);
        assertThat(tree.at("/spec/containers/0/script").stringValue()).isEqualTo("#!/bin/sh\n\necho \"hi\"\n");
        assertThat(tree.at("/metadata/labels/n").stringValue()).isEqualTo("12");
        String text = Yaml.encode(tree);
        assertThat(Yaml.parse(text)).isEqualTo(tree);
        assertThat(text)
                .startsWith("kind: Pod\nmetadata:\n  name: x\n  labels:\n    \"on\": \"yes\"\n    \"n\": \"12\"\n")
                .contains("  containers:\n  - name: c\n    args:\n    - \"a: b\"\n")
                .contains("    script: |\n      #!/bin/sh\n\n      echo \"hi\"\n");
    }

    @Test
    void yamlStreamsMayHoldEmptyDocuments() {
        assertThat(Yaml.parseAll("---\na: 1\n---\n---\nb: 2\n")).hasSize(2);
        assertThat(Yaml.parse("")).isEmpty();
        assertThatThrownBy(() -> Yaml.parse("a: 1\na: 2")).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> Yaml.parse("- 1")).isInstanceOf(ApiException.class);
    }

    @Test
    void statusesSurviveTheWay() {
        ApiException failure = ApiException.invalid(
                new GroupVersionKind("apps", "v1", "Deployment"),
                "web",
                java.util.List.of(new ApiException.Cause("FieldValueInvalid", "Invalid value: -1", "spec.replicas")));
        ObjectNode status = StatusObject.of(failure);
        assertThat(Json.encodeToString(status))
                .isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                        + "\"message\":\"Deployment.apps \\\"web\\\" is invalid: spec.replicas: Invalid value: -1\","
                        + "\"reason\":\"Invalid\",\"details\":{\"name\":\"web\",\"group\":\"apps\","
                        + "\"kind\":\"Deployment\",\"causes\":[{\"reason\":\"FieldValueInvalid\","
                        + "\"message\":\"Invalid value: -1\",\"field\":\"spec.replicas\"}]},\"code\":422}");
        ApiException back = StatusObject.toException(422, status);
        assertThat(back.reason()).isEqualTo(StatusReason.Invalid);
        assertThat(back.details()).isEqualTo(failure.details());
        assertThat(StatusObject.toException(503, Json.object()).reason()).isEqualTo(StatusReason.ServiceUnavailable);
    }

    @Test
    void deepYamlIsRefused() {
        for (String deep : new String[] {"a: " + "[".repeat(100_000), "{a: ".repeat(100_000)}) {
            assertThatThrownBy(() -> Yaml.parse(deep))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.code()).isEqualTo(400));
        }
    }
}
