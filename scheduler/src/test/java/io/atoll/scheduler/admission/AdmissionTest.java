package io.atoll.scheduler.admission;

import io.atoll.model.ApiException;
import io.atoll.model.Json;
import io.atoll.model.Metadata;
import io.atoll.model.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The rows of {@code admission/*.yaml}; a row that expects nothing is let in. */
class AdmissionTest {
    static Stream<Arguments> pods() {
        return rows("pods");
    }

    static Stream<Arguments> objects() {
        return rows("objects");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void podsThatShareGpus(String name, ObjectNode row) {
        ObjectNode pod = pod(row);
        PodAdmissionOptions options = PodAdmissionOptions.EMBEDDED.withGpuSharing(
                row.path("gpuSharing").asBoolean(true));

        String refused = row.path("refused").asString("");

        expect(
                name,
                refused.isEmpty() ? 0 : 403,
                "pods \"p\" is forbidden: " + refused,
                () -> PodAdmission.validateCreate(pod, options));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("objects")
    void queuesPodGroupsAndTopologies(String name, ObjectNode row) {
        ObjectNode before = row.path("before") instanceof ObjectNode given ? given : null;

        expect(name, row.path("code").asInt(0), row.path("message").asString(""), () -> validate(row, before));
    }

    private static void validate(ObjectNode row, @Nullable ObjectNode before) {
        if (row.path("queue") instanceof ObjectNode queue) {
            QueueAdmission.validate(
                    queue,
                    before,
                    parent -> Optional.of(row.path("parents").path(parent).asString("")));
        } else if (row.path("podGroup") instanceof ObjectNode group) {
            PodGroupAdmission.validate(group);
        } else {
            TopologyAdmission.validate((ObjectNode) row.path("topology"), before);
        }
    }

    private static void expect(String name, int code, String message, Runnable check) {
        if (code == 0) {
            check.run();
            return;
        }
        assertThatThrownBy(check::run).as(name).isInstanceOfSatisfying(ApiException.class, refusal -> {
            assertThat(refusal.getMessage()).isEqualTo(message);
            assertThat(refusal.code()).isEqualTo(code);
        });
    }

    @Test
    void aPodThatWasLetInBeforeCanLoseItsFinalizers() {
        ObjectNode before = Yaml.parse(
                "{metadata: {name: p, annotations: {gpu-fraction: '7'}}, spec: {schedulerName: kai-scheduler}}");
        ObjectNode same = before.deepCopy();
        Metadata.setLabel(same, "a", "b");
        PodAdmission.validateUpdate(same, before, PodAdmissionOptions.EMBEDDED);

        Metadata.setAnnotation(same, "gpu-fraction", "8");
        assertThatThrownBy(() -> PodAdmission.validateUpdate(same, before, PodAdmissionOptions.EMBEDDED))
                .isInstanceOf(ApiException.class);
    }

    // ---- what pods get added ----

    @Test
    void aPodThatSharesAGpuReadsItsDevicesFromConfigMapsToCome() {
        ObjectNode pod = Yaml.parse("""
                metadata:
                  name: worker-abc
                  annotations: {gpu-fraction: "0.5", gpu-fraction-container-name: second}
                  ownerReferences: [{kind: ReplicaSet, apiVersion: apps/v1, name: worker, uid: u}]
                spec:
                  schedulerName: kai-scheduler
                  containers:
                  - {name: first}
                  - {name: second, env: [{name: GPU_PORTION, value: mine}, {name: OTHER, value: kept}]}
                """);

        PodCompletion.complete(pod, PodAdmissionOptions.KUBELET, new SplittableRandom(1));

        String prefix = Metadata.annotation(pod, "runai/shared-gpu-configmap");
        assertThat(prefix).matches("worker-[a-z0-9]{7}-shared-gpu");
        assertThat(pod.at("/spec/runtimeClassName").asString("")).isEqualTo("nvidia");
        assertThat(pod.at("/spec/containers/0").has("env")).isFalse();
        JsonNode container = pod.at("/spec/containers/1");
        assertThat(Json.encodeToString(container.path("env")))
                .isEqualTo("[{\"name\":\"OTHER\",\"value\":\"kept\"},"
                        + variable("NVIDIA_VISIBLE_DEVICES", prefix) + ","
                        + variable("RUNAI_NUM_OF_GPUS", prefix) + ","
                        + variable("GPU_PORTION", prefix) + "]");
        assertThat(container.at("/envFrom/0/configMapRef/name").asString("")).isEqualTo(prefix + "-1-evar");
        assertThat(pod.at("/spec/volumes/0/configMap/name").asString("")).isEqualTo(prefix + "-1");

        ObjectNode again = pod.deepCopy();
        PodCompletion.complete(again, PodAdmissionOptions.KUBELET, new SplittableRandom(2));
        assertThat(again).isEqualTo(pod);
    }

    private static String variable(String name, String prefix) {
        return "{\"name\":\"" + name + "\",\"valueFrom\":{\"configMapKeyRef\":{\"name\":\"" + prefix + "-1\",\"key\":\""
                + name + "\"}}}";
    }

    @Test
    void theContainerThatSharesMayBeAnInitContainer() {
        ObjectNode pod = Yaml.parse("""
                metadata: {name: p, annotations: {gpu-memory: "100", gpu-fraction-container-name: setup}}
                spec: {schedulerName: kai-scheduler, containers: [{name: main}], initContainers: [{name: other}, {name: setup}]}
                """);

        PodCompletion.complete(pod, PodAdmissionOptions.KUBELET, new SplittableRandom(1));

        assertThat(pod.at("/spec/volumes/0/configMap/name").asString("")).endsWith("-shared-gpu-i1");
    }

    @Test
    void aContainerThatIsNotThereIsRefused() {
        ObjectNode pod = Yaml.parse("""
                metadata: {name: p, annotations: {gpu-fraction: "0.5", gpu-fraction-container-name: nonesuch}}
                spec: {schedulerName: kai-scheduler, containers: [{name: main}]}
                """);

        expect(
                "no such container",
                403,
                "pods \"p\" is forbidden: annotation gpu-fraction-container-name names no container of the pod:"
                        + " \"nonesuch\"",
                () -> PodCompletion.complete(pod, PodAdmissionOptions.EMBEDDED, new SplittableRandom(1)));
    }

    @Test
    void podsThatAskForNoGpuAndThoseOfOthersStayAsTheyAre() {
        ObjectNode plain =
                Yaml.parse("{metadata: {name: p}, spec: {schedulerName: kai-scheduler, containers: [{name: main}]}}");
        ObjectNode others = Yaml.parse("{metadata: {name: p, annotations: {gpu-fraction: '0.5'}}, spec: {schedulerName:"
                + " default-scheduler, containers: [{name: main}]}}");
        for (ObjectNode pod : new ObjectNode[] {plain, others}) {
            ObjectNode before = pod.deepCopy();
            PodCompletion.complete(pod, PodAdmissionOptions.KUBELET, new SplittableRandom(1));
            assertThat(pod).isEqualTo(before);
        }
    }

    @Test
    void aRuntimeClassOfItsOwnStays() {
        ObjectNode pod = Yaml.parse("""
                metadata: {name: p}
                spec:
                  schedulerName: kai-scheduler
                  runtimeClassName: mine
                  containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]
                """);

        PodCompletion.complete(pod, PodAdmissionOptions.KUBELET, new SplittableRandom(1));

        assertThat(pod.at("/spec/runtimeClassName").asString("")).isEqualTo("mine");
    }

    private static ObjectNode pod(JsonNode row) {
        ObjectNode pod = Json.object();
        Metadata.setName(pod, "p");
        Metadata.setNamespace(pod, row.path("namespace").asString("n"));
        row.path("annotations")
                .properties()
                .forEach(each -> Metadata.setAnnotation(
                        pod, each.getKey(), each.getValue().asString("")));
        ObjectNode spec = pod.putObject("spec");
        spec.put("schedulerName", row.path("schedulerName").asString("kai-scheduler"));
        container(spec, "containers", row.path("limits"));
        container(spec, "initContainers", row.path("initLimits"));
        return pod;
    }

    private static void container(ObjectNode spec, String list, JsonNode limits) {
        ObjectNode container = spec.putArray(list).addObject().put("name", "c");
        if (limits.isObject()) {
            container.putObject("resources").set("limits", limits);
        }
    }

    private static Stream<Arguments> rows(String file) {
        try (InputStream in =
                Objects.requireNonNull(AdmissionTest.class.getResourceAsStream("/admission/" + file + ".yaml"), file)) {
            return Yaml.parseAll(new String(in.readAllBytes(), StandardCharsets.UTF_8)).stream()
                    .map(row -> Arguments.of(row.path("name").asString(""), row));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
