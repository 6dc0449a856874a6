package io.atoll.apiserver.openapi;

import io.atoll.apiserver.openapi.ServedTypes.GroupVersionPath;
import io.atoll.model.GroupVersionKind;
import io.atoll.model.Json;
import io.atoll.model.ResourceType;
import io.atoll.model.Yaml;
import io.atoll.model.schema.BuiltInTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Documents of the real built-in types and of one custom type. */
final class OpenApiDocumentTest {
    private static final ServedTypes TYPES = types();

    private static ServedTypes types() {
        ResourceType custom = ResourceType.of("stable.example.com", "v1", "crontabs", "CronTab", true);
        List<ResourceType> resources = new ArrayList<>(BuiltInTypes.all());
        resources.add(custom);
        String schema = Json.encodeToString(Yaml.parse("""
                description: A schedule.
                type: object
                properties:
                  spec:
                    type: object
                    required: [cron]
                    properties:
                      cron: {type: string, description: When., pattern: '^x'}
                      replicas: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
                      free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}
                """));
        return new ServedTypes(resources, Map.of(new GroupVersionKind("stable.example.com", "v1", "CronTab"), schema));
    }

    @Test
    void everyGroupVersionHasADocumentWithoutLooseEnds() {
        for (GroupVersionPath path : TYPES.groupVersions()) {
            ObjectNode document = OpenApiDocument.build(Dialect.V3, TYPES.of(path.group(), path.version()));
            Set<String> missing = new TreeSet<>();
            JsonNode schemas = document.path("components").path("schemas");
            collect(document, reference -> {
                String name = reference.substring("#/components/schemas/".length());
                if (!schemas.has(name)) {
                    missing.add(name);
                }
            });
            assertThat(missing).as(path.toString()).isEmpty();
            assertThat(document.path("paths").size()).as(path.toString()).isPositive();
        }
    }

    @Test
    void clientsFindWhatPatchingAPodTakes() {
        ObjectNode document = OpenApiDocument.build(Dialect.V3, TYPES.of("", "v1"));
        JsonNode patch = document.path("paths")
                .path("/api/v1/namespaces/{namespace}/pods/{name}")
                .path("patch");
        assertThat(patch.path("operationId").asString()).isEqualTo("patchCoreV1NamespacedPod");
        assertThat(patch.path("x-kubernetes-action").asString()).isEqualTo("patch");
        assertThat(Json.encodeToString(patch.path("x-kubernetes-group-version-kind")))
                .isEqualTo("{\"group\":\"\",\"kind\":\"Pod\",\"version\":\"v1\"}");
        assertThat(patch.path("parameters")
                        .valueStream()
                        .map(p -> p.path("name").asString()))
                .contains("fieldValidation", "dryRun", "fieldManager", "force");
        JsonNode spec = document.path("components").path("schemas").path("io.k8s.api.core.v1.PodSpec");
        assertThat(spec.path("required").path(0).asString()).isEqualTo("containers");
        JsonNode containers = spec.path("properties").path("containers");
        assertThat(containers.path("x-kubernetes-patch-merge-key").asString()).isEqualTo("name");
        assertThat(containers.path("x-kubernetes-list-type").asString()).isEqualTo("map");
        assertThat(containers.path("description").asString()).isNotEmpty();
        assertThat(document.path("components")
                        .path("schemas")
                        .path("io.k8s.api.core.v1.Pod")
                        .path("x-kubernetes-group-version-kind")
                        .path(0)
                        .path("kind")
                        .asString())
                .isEqualTo("Pod");
    }

    @Test
    void customResourcesAreInBothVersions() {
        ObjectNode v3 = OpenApiDocument.build(Dialect.V3, TYPES.of("stable.example.com", "v1"));
        JsonNode schema = v3.path("components").path("schemas").path("com.example.stable.v1.CronTab");
        assertThat(schema.path("properties")
                        .path("spec")
                        .path("properties")
                        .path("cron")
                        .path("pattern")
                        .asString())
                .isEqualTo("^x");
        assertThat(schema.path("properties").has("metadata")).isTrue();
        ObjectNode v2 = OpenApiDocument.build(Dialect.V2, TYPES);
        JsonNode spec = v2.path("definitions")
                .path("com.example.stable.v1.CronTab")
                .path("properties")
                .path("spec")
                .path("properties");
        assertThat(spec.path("replicas").has("anyOf")).isFalse();
        assertThat(spec.path("free").has("type")).isFalse();
        assertThat(v2.path("paths").has("/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}"))
                .isTrue();
        assertThat(GnosticDocument.encode(v2).length).isGreaterThan(500_000);
    }

    @Test
    void hashesChangeWithWhatIsServed() {
        ServedTypes some = TYPES.of("stable.example.com", "v1");
        ServedTypes same = TYPES.of("stable.example.com", "v1");
        ServedTypes other = new ServedTypes(some.resources(), Map.of());
        assertThat(some).isEqualTo(same);
        assertThat(some.fingerprint()).isEqualTo(same.fingerprint()).isNotEqualTo(other.fingerprint());
    }

    private static void collect(JsonNode node, java.util.function.Consumer<String> references) {
        if (node.path("$ref").isString()) {
            references.accept(node.path("$ref").asString());
        }
        node.forEach(child -> collect(child, references));
    }
}
