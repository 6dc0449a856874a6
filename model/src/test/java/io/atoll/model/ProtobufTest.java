package io.atoll.model;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.atoll.model.schema.Defaults;
import io.atoll.model.schema.Pruning;
import io.atoll.model.schema.Schema;
import io.atoll.model.schema.SchemaValidator;
import io.atoll.model.schema.Schemas;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProtobufTest {
    private static final Map<String, Descriptor> MESSAGES = messages();

    private static Map<String, Descriptor> messages() {
        Map<String, Descriptor> found = new HashMap<>();
        List<FileDescriptor> left = new ArrayList<>();
        for (String file : List.of(
                "Meta",
                "V1",
                "V1Admission",
                "V1Admissionregistration",
                "V1Apiextensions",
                "V1Apps",
                "V1Authentication",
                "V1Authorization",
                "V1Autoscaling",
                "V1Batch",
                "V1Certificates",
                "V1Coordination",
                "V1Discovery",
                "V1Events",
                "V1Flowcontrol",
                "V1Networking",
                "V1Node",
                "V1Policy",
                "V1Rbac",
                "V1Resource",
                "V1Scheduling",
                "V1Storage",
                "V2Autoscaling")) {
            try {
                left.add((FileDescriptor) Class.forName("io.kubernetes.client.proto." + file)
                        .getMethod("getDescriptor")
                        .invoke(null));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(file, e);
            }
        }
        left.forEach(file ->
                file.getMessageTypes().forEach(message -> found.put(RandomMessages.definition(message), message)));
        return found;
    }

    private static byte[] envelope(GroupVersionKind kind, byte[] raw) {
        byte[] unknown = Unknown.newBuilder()
                .setTypeMeta(
                        TypeMeta.newBuilder().setApiVersion(kind.apiVersion()).setKind(kind.kind()))
                .setRaw(ByteString.copyFrom(raw))
                .build()
                .toByteArray();
        return ByteBuffer.allocate(4 + unknown.length)
                .put(new byte[] {'k', '8', 's', 0})
                .put(unknown)
                .array();
    }

    private static byte[] open(byte[] enveloped) throws Exception {
        return Unknown.parseFrom(ByteBuffer.wrap(enveloped, 4, enveloped.length - 4))
                .getRaw()
                .toByteArray();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyKindSurvivesTheRoundTrip(long seed) throws Exception {
        RandomMessages random = new RandomMessages(new Random(seed));
        int tried = 0;
        for (String name : Schemas.names()) {
            Descriptor type = MESSAGES.get(name);
            if (type == null) {
                continue; // the aggregation layer's types: the client has no messages of them
            }
            for (GroupVersionKind kind : Schemas.kinds(name)) {
                Message message = random.message(type, 5);
                ObjectNode tree = Protobuf.decode(envelope(kind, message.toByteArray()));
                Message back = DynamicMessage.parseFrom(type, open(Protobuf.encode(tree)));
                assertThat(back).as("%s, seed %d: %s", kind, seed, tree).isEqualTo(message);
                tried++;
            }
        }
        assertThat(tried).isGreaterThan(150);
    }

    /**
     * Kubernetes' own round-trip files, one test a kind, from the folder that {@code KUBERNETES_API_TESTDATA} names
     * ({@code k8s.io/api/testdata/HEAD} of a checkout). No folder, no tests.
     */
    @TestFactory
    Stream<DynamicTest> readsWhatKubernetesWrote() {
        Path folder = Path.of(System.getenv().getOrDefault("KUBERNETES_API_TESTDATA", "no-checkout"));
        return Schemas.names().stream()
                .flatMap(name -> Schemas.kinds(name).stream())
                .filter(kind -> Files.exists(folder.resolve(roundTripFile(kind, "pb"))))
                .map(kind -> DynamicTest.dynamicTest(
                        kind.toString(),
                        () -> assertReads(
                                kind,
                                Files.readAllBytes(folder.resolve(roundTripFile(kind, "pb"))),
                                Json.parse(Files.readAllBytes(folder.resolve(roundTripFile(kind, "json")))))));
    }

    private static String roundTripFile(GroupVersionKind kind, String extension) {
        return (kind.group().isEmpty() ? "core" : kind.group()) + "." + kind.version() + "." + kind.kind() + "."
                + extension;
    }

    private static void assertReads(GroupVersionKind kind, byte[] protobuf, ObjectNode expected) {
        ObjectNode tree = Protobuf.decode(protobuf);
        Schema schema = Schemas.find(kind).orElseThrow();
        assertThat(Json.same(tree, expected)).isTrue();
        assertThat(SchemaValidator.typeMismatch(schema, expected)).isEmpty();
        assertThat(Pruning.prune(schema, expected)).isEmpty();
        Defaults.apply(schema, tree);
        assertThat(Json.same(tree, expected)).isTrue();
    }

    @Test
    void aPodReadsAsClientGoWouldReadIt() {
        V1.Pod pod = V1.Pod.newBuilder()
                .setSpec(V1.PodSpec.newBuilder()
                        .setHostNetwork(false)
                        .setTerminationGracePeriodSeconds(0)
                        .addVolumes(V1.Volume.newBuilder()
                                .setName("v")
                                .setVolumeSource(V1.VolumeSource.newBuilder()
                                        .setEmptyDir(V1.EmptyDirVolumeSource.getDefaultInstance())))
                        .addContainers(V1.Container.newBuilder()
                                .setName("a")
                                .setImage("")
                                .setResources(V1.ResourceRequirements.getDefaultInstance())))
                .build();
        ObjectNode tree = Protobuf.decode(envelope(new GroupVersionKind("", "v1", "Pod"), pod.toByteArray()));
        assertThat(tree).hasToString("""
                        {"apiVersion":"v1","kind":"Pod","spec":{"volumes":[{"name":"v","emptyDir":{}}],\
                        "containers":[{"name":"a","resources":{}}],"terminationGracePeriodSeconds":0}}\
                        """);
    }

    @Test
    void aListInAListKeepsItsItems() {
        ObjectNode list = Json.parse("""
                {"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"7"},
                 "items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}
                """);
        assertThat(Protobuf.decode(Protobuf.encode(list))).isEqualTo(list);
    }

    @Test
    void aWatchFrameIsItsLengthAndAnEvent() throws Exception {
        byte[] pod =
                Protobuf.encode(Json.parse("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}"));
        ByteBuffer frame = ByteBuffer.wrap(Protobuf.watchFrame("ADDED", pod));
        assertThat(frame.getInt()).isEqualTo(frame.remaining());
        var event = io.kubernetes.client.proto.Meta.WatchEvent.parseFrom(frame);
        assertThat(event.getType()).isEqualTo("ADDED");
        assertThat(event.getObject().getRaw().toByteArray()).isEqualTo(pod);
    }

    @Test
    void malformedBytesAreTheCallersFault() {
        byte[] valid =
                Protobuf.encode(Json.parse("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}"));
        byte[] cut = java.util.Arrays.copyOf(valid, valid.length - 20);
        for (byte[] bytes : List.of(new byte[0], new byte[] {1, 2, 3, 4, 5}, cut)) {
            assertThatThrownBy(() -> Protobuf.decode(bytes))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.reason()).isEqualTo(StatusReason.BadRequest));
        }
        assertThatThrownBy(() -> Protobuf.encode(Json.parse("{\"apiVersion\":\"a.b/v1\",\"kind\":\"C\"}")))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.code()).isEqualTo(406));
    }

    @Test
    void nestingIsBounded() {
        ObjectNode crd =
                Json.parse("{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\"}");
        ObjectNode schema = crd.putObject("spec")
                .putArray("versions")
                .addObject()
                .putObject("schema")
                .putObject("openAPIV3Schema");
        for (int i = 0; i < 300; i++) {
            schema = schema.putObject("not");
        }
        byte[] deep = Protobuf.encode(crd);
        assertThatThrownBy(() -> Protobuf.decode(deep)).hasMessageContaining("nested too deeply");
    }
}
