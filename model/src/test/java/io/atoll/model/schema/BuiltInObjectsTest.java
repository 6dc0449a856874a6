package io.atoll.model.schema;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class BuiltInObjectsTest {
    @Test
    void prunesWhatTheSchemaDoesNotKnow() {
        ObjectNode tree = Json.parse("""
                {"apiVersion":"v1","kind":"Pod","foo":1,"metadata":{"name":"a","labels":{"x":"y"},"bar":{"z":1}},
                 "spec":{"containers":[{"name":"a","resources":{"limits":{"nvidia.com/gpu":"1"}}},
                                       {"name":"b","imag":"typo","livenessProbe":{"httpGet":{"port":1,"prt":2}}}]}}
                """);
        assertThat(Pruning.prune(Schemas.find(GroupVersionKind.of(tree)).orElseThrow(), tree))
                .containsExactly(
                        "foo",
                        "metadata.bar",
                        "spec.containers[1].imag",
                        "spec.containers[1].livenessProbe.httpGet.prt");
        assertThat(tree).hasToString("""
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"x":"y"}},\
                        "spec":{"containers":[{"name":"a","resources":{"limits":{"nvidia.com/gpu":"1"}}},\
                        {"name":"b","livenessProbe":{"httpGet":{"port":1}}}]}}\
                        """);
    }

    @Test
    void keepsRawParts() {
        ObjectNode tree = Json.parse("""
                {"apiVersion":"apps/v1","kind":"ControllerRevision","data":{"any":{"thing":[1]}},"revision":1,
                 "metadata":{"managedFields":[{"fieldsV1":{"f:metadata":{}}}]}}
                """);
        ObjectNode before = tree.deepCopy();
        assertThat(Pruning.prune(Schemas.find(GroupVersionKind.of(tree)).orElseThrow(), tree))
                .isEmpty();
        assertThat(tree).isEqualTo(before);
    }

    static Stream<Arguments> mismatches() {
        return Stream.of(
                row(
                        "apps/v1 Deployment {'spec':{'replicas':'3'}}",
                        "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"),
                row(
                        "apps/v1 Deployment {'spec':{'replicas':1.5}}",
                        "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32"),
                row(
                        "v1 Pod {'spec':{'containers':[{'env':[{'name':'a','value':true}]}]}}",
                        "json: cannot unmarshal bool into Go struct field EnvVar.spec.containers.env.value of type string"),
                row(
                        "v1 Pod {'spec':{'containers':{}}}",
                        "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container"),
                row(
                        "v1 Pod {'spec':[]}",
                        "json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec"),
                row(
                        "v1 ConfigMap {'metadata':{'labels':{'a':false}}}",
                        "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string"),
                row(
                        "v1 Pod {'spec':{'containers':[{'resources':{'limits':{'cpu':'a lot'}}}]}}",
                        "quantities must match the regular expression"
                                + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
                row("v1 Secret {'data':{'a':'!'}}", "illegal base64 data at input byte 0"),
                row(
                        "v1 Pod {'metadata':{'creationTimestamp':'now'}}",
                        "parsing time \"now\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"now\" as \"2006\""),
                row("v1 Pod {'spec':{'nodeName':null,'containers':null}}", ""),
                row("v1 Service {'spec':{'ports':[{'port':80,'targetPort':'http'},{'port':81,'targetPort':81}]}}", ""),
                row("v1 Pod {'spec':{'containers':[{'resources':{'limits':{'cpu':2,'memory':'1Gi'}}}]}}", ""));
    }

    private static Arguments row(String object, String message) {
        List<String> parts = List.of(object.split(" ", 3));
        return Arguments.of(
                GroupVersionKind.of(parts.get(0), parts.get(1)), parts.get(2).replace('\'', '"'), message);
    }

    @ParameterizedTest
    @MethodSource("mismatches")
    void saysWhatDoesNotFit(GroupVersionKind kind, String json, String message) {
        Optional<String> mismatch =
                SchemaValidator.typeMismatch(Schemas.find(kind).orElseThrow(), Json.parse(json));
        assertThat(mismatch.orElse("")).isEqualTo(message);
    }
}
