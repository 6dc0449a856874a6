package io.atoll.model.schema;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class DefaultsTest {
    /** What is sent, and one part of what it becomes: a JSON pointer and the expected JSON. */
    static Stream<Arguments> rows() {
        String pod = "{'apiVersion':'v1','kind':'Pod','spec':{'containers':[{'name':'a','image':'b'%s}]%s}}";
        String deployment = "{'apiVersion':'apps/v1','kind':'Deployment','spec':{%s}}";
        return Stream.of(
                row(pod.formatted("", ""), "/spec/restartPolicy", "'Always'"),
                row(pod.formatted("", ""), "/spec/terminationGracePeriodSeconds", "30"),
                row(pod.formatted("", ""), "/spec/securityContext", "{}"),
                row(pod.formatted("", ""), "/status", "{}"),
                row(pod.formatted("", ""), "/spec/containers/0/resources", "{}"),
                row(
                        pod.formatted("", ",'terminationGracePeriodSeconds':0"),
                        "/spec/terminationGracePeriodSeconds",
                        "0"),
                row(pod.formatted("", ",'restartPolicy':''"), "/spec/restartPolicy", "'Always'"),
                row(pod.formatted("", ",'restartPolicy':null"), "/spec/restartPolicy", "'Always'"),
                row(pod.formatted("", ",'nodeName':'','hostNetwork':false"), "/spec/nodeName", ""),
                row(pod.formatted("", ",'nodeName':'','hostNetwork':false"), "/spec/hostNetwork", ""),
                row(pod.formatted(",'command':[]", ""), "/spec/containers/0/command", ""),
                row(pod.formatted(",'stdin':null", ""), "/spec/containers/0/stdin", ""),
                row(
                        pod.formatted(",'ports':[{'containerPort':80}]", ""),
                        "/spec/containers/0/ports",
                        "[{'containerPort':80,'protocol':'TCP'}]"),
                row(
                        pod.formatted(",'readinessProbe':{'httpGet':{'port':80}}", ""),
                        "/spec/containers/0/readinessProbe",
                        "{'failureThreshold':3,'httpGet':{'path':'/','port':80,'scheme':'HTTP'},'periodSeconds':10,"
                                + "'successThreshold':1,'timeoutSeconds':1}"),
                row(
                        pod.formatted(",'resources':{'limits':{'cpu':0.5,'memory':'1024Mi'}}", ""),
                        "/spec/containers/0/resources/limits",
                        "{'cpu':'500m','memory':'1Gi'}"),
                row(pod.formatted("", ",'volumes':[{'name':'v','emptyDir':{}}]"), "/spec/volumes/0/emptyDir", "{}"),
                row(
                        "{'apiVersion':'v1','kind':'Event','eventTime':'2026-01-02T03:04:05Z',"
                                + "'firstTimestamp':'2026-01-02T05:04:05.7+02:00'}",
                        "/eventTime",
                        "'2026-01-02T03:04:05.000000Z'"),
                row(
                        "{'apiVersion':'v1','kind':'Event','firstTimestamp':'2026-01-02T05:04:05.7+02:00'}",
                        "/firstTimestamp",
                        "'2026-01-02T03:04:05Z'"),
                row(deployment.formatted(""), "/spec/replicas", "1"),
                row(deployment.formatted("'replicas':0"), "/spec/replicas", "0"),
                row(deployment.formatted(""), "/spec/strategy", "{'type':'RollingUpdate'}"),
                row(deployment.formatted(""), "/spec/template/spec/restartPolicy", "'Always'"),
                row("{'apiVersion':'v1','kind':'Service','spec':{}}", "/status", "{'loadBalancer':{}}"),
                row("{'apiVersion':'v1','kind':'Secret','data':{'a':''}}", "/data", "{'a':''}"),
                row("{'apiVersion':'v1','kind':'Secret','data':{'a':''}}", "/type", "'Opaque'"),
                row("{'apiVersion':'apps/v1','kind':'ReplicaSet'}", "/status/replicas", "0"),
                row("{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'Role','rules':[]}", "/rules", "[]"));
    }

    private static Arguments row(String object, String pointer, String expected) {
        return Arguments.of(object.replace('\'', '"'), pointer, expected.replace('\'', '"'));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void defaults(String object, String pointer, String expected) {
        ObjectNode tree = Json.parse(object);
        Schema schema = Schemas.find(GroupVersionKind.of(tree)).orElseThrow();
        Defaults.apply(schema, tree);
        JsonNode value = tree.at(pointer);
        if (expected.isEmpty()) {
            assertThat(value.isMissingNode()).as(value.toString()).isTrue();
        } else {
            assertThat(value)
                    .isEqualTo(Json.parse("{\"value\":" + expected + "}").get("value"));
        }
        ObjectNode again = tree.deepCopy();
        Defaults.apply(schema, again);
        assertThat(again).isEqualTo(tree);
    }
}
