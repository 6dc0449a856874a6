package io.atoll.model.schema;

import io.atoll.model.GroupVersionKind;
import io.atoll.model.ResourceType;
import io.atoll.model.Subresource;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BuiltInTypesTest {
    @Test
    void groupsAppearInDiscoverysOrder() {
        assertThat(BuiltInTypes.all().stream().map(ResourceType::apiVersion).distinct())
                .containsExactly(
                        "v1",
                        "apiregistration.k8s.io/v1",
                        "apps/v1",
                        "events.k8s.io/v1",
                        "authentication.k8s.io/v1",
                        "authorization.k8s.io/v1",
                        "autoscaling/v2",
                        "autoscaling/v1",
                        "batch/v1",
                        "certificates.k8s.io/v1",
                        "networking.k8s.io/v1",
                        "policy/v1",
                        "rbac.authorization.k8s.io/v1",
                        "storage.k8s.io/v1",
                        "admissionregistration.k8s.io/v1",
                        "apiextensions.k8s.io/v1",
                        "scheduling.k8s.io/v1",
                        "coordination.k8s.io/v1",
                        "node.k8s.io/v1",
                        "discovery.k8s.io/v1",
                        "flowcontrol.apiserver.k8s.io/v1",
                        "resource.k8s.io/v1");
    }

    @Test
    void aPodIsAsDiscoveryShowsIt() {
        ResourceType pods = BuiltInTypes.find("", "v1", "pods").orElseThrow();
        assertThat(pods).isSameAs(BuiltInTypes.PODS);
        assertThat(pods.shortNames()).containsExactly("po");
        assertThat(pods.categories()).containsExactly("all");
        assertThat(pods.verbs()).isEqualTo(ResourceType.STORED_VERBS);
        assertThat(pods.subresources().keySet())
                .containsExactly(
                        "attach",
                        "binding",
                        "ephemeralcontainers",
                        "eviction",
                        "exec",
                        "log",
                        "portforward",
                        "proxy",
                        "resize",
                        "status");
        assertThat(pods.subresources())
                .containsEntry(
                        "eviction",
                        new Subresource(
                                "eviction", new GroupVersionKind("policy", "v1", "Eviction"), List.of("create")));
        assertThat(BuiltInTypes.DEPLOYMENTS.subresources())
                .containsEntry(
                        "scale",
                        new Subresource(
                                "scale",
                                new GroupVersionKind("autoscaling", "v1", "Scale"),
                                List.of("get", "patch", "update")));
        assertThat(BuiltInTypes.NAMESPACES.verbs()).doesNotContain("deletecollection");
        assertThat(BuiltInTypes.ENDPOINTS.singular()).isEqualTo("endpoints");
    }

    @Test
    void shortNamesAreUniqueWithinAGroupVersion() {
        for (ResourceType type : BuiltInTypes.all()) {
            List<ResourceType> same = BuiltInTypes.all().stream()
                    .filter(other -> other.apiVersion().equals(type.apiVersion()))
                    .filter(other -> other.shortNames().stream().anyMatch(type.shortNames()::contains))
                    .toList();
            assertThat(same).hasSizeLessThanOrEqualTo(1);
        }
    }
}
