package io.atoll.model.schema;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.ResourceType;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SchemasTest {
    private static Schema field(Schema schema, String path) {
        Schema at = schema;
        for (String name : path.split("\\.")) {
            Schema items = at.items();
            at = Objects.requireNonNull((items == null ? at : items).property(name), path);
        }
        return at;
    }

    private static Schema of(String apiVersion, String kind) {
        return Schemas.find(GroupVersionKind.of(apiVersion, kind)).orElseThrow();
    }

    @Test
    void everyServedKindHasASchema() {
        for (ResourceType type : BuiltInTypes.all()) {
            assertThat(Schemas.find(type.groupVersionKind()))
                    .as(type.toString())
                    .isPresent();
            type.subresources()
                    .values()
                    .forEach(part -> assertThat(Schemas.find(part.kind()))
                            .as(type.resource() + "/" + part.name())
                            .isPresent());
        }
    }

    @Test
    void everyDefinitionLoadsAndEveryReferenceResolves() {
        for (String name : Schemas.names()) {
            Schema definition = Schemas.definition(name).orElseThrow();
            definition.properties().values().forEach(Schema::structure);
        }
        assertThat(Schemas.names()).hasSizeGreaterThan(500);
    }

    @Test
    void knowsWhatAPodIsMadeOf() {
        Schema pod = of("v1", "Pod");
        Schema containers = field(pod, "spec.containers");
        assertThat(containers.type()).isEqualTo(Schema.Type.ARRAY);
        assertThat(containers.listType()).isEqualTo(Schema.ListType.MAP);
        assertThat(containers.listMapKeys()).containsExactly("name");
        assertThat(containers.patchStrategies()).containsExactly("merge");
        assertThat(containers.patchMergeKey()).isEqualTo("name");
        assertThat(containers.protobufNumber()).isEqualTo(2);
        assertThat(containers.description()).startsWith("List of containers belonging to the pod");

        Schema ports = field(containers, "ports");
        assertThat(ports.listMapKeys()).containsExactly("containerPort", "protocol");
        assertThat(field(ports, "protocol").defaultValue()).hasToString("\"TCP\"");
        assertThat(field(pod, "spec.volumes").patchStrategies()).isEqualTo(Set.of("merge", "retainKeys"));
        assertThat(field(pod, "spec.volumes.hostPath.path").type()).isEqualTo(Schema.Type.STRING);
        assertThat(field(containers, "resources.limits.cpu").format()).isEqualTo("quantity");
        assertThat(field(pod, "metadata.creationTimestamp").format()).isEqualTo("date-time");
        assertThat(field(containers, "livenessProbe.httpGet.port").intOrString())
                .isTrue();
        assertThat(field(pod, "spec").required()).containsExactly("containers");
        assertThat(field(pod, "spec.nodeSelector").mapType()).isEqualTo(Schema.MapType.ATOMIC);
        assertThat(field(of("apps/v1", "Deployment"), "spec.selector").mapType())
                .isEqualTo(Schema.MapType.ATOMIC);
        assertThat(pod.property("nonsense")).isNull();
    }

    @Test
    void recursiveTypesResolve() {
        Schema schema = of("apiextensions.k8s.io/v1", "CustomResourceDefinition");
        Schema props = field(schema, "spec.versions.schema.openAPIV3Schema");
        assertThat(field(props, "properties.x.properties.y.$ref").protobufNumber())
                .isEqualTo(3);
    }

    @Test
    void optionsAreFoundUnderAnyGroup() {
        for (String apiVersion : List.of("v1", "policy/v1", "apps/v1", "meta.k8s.io/v1")) {
            assertThat(Schemas.definitionName(GroupVersionKind.of(apiVersion, "DeleteOptions")))
                    .contains("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions");
        }
        assertThat(Schemas.find(GroupVersionKind.of("apps/v1", "Pod"))).isEmpty();
    }
}
