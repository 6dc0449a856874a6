package io.atoll.syncer.config;

import io.atoll.model.Json;
import io.atoll.model.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TenantConfigTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a.b=c                     | {\"a\":{\"b\":\"c\"}}",
                "a=1,b=true,c=false        | {\"a\":1,\"b\":true,\"c\":false}",
                "a=,b=x                    | {\"a\":\"\",\"b\":\"x\"}",
                "a={x,2,true}              | {\"a\":[\"x\",2,true]}",
                "a={}                      | {\"a\":[]}",
                "a[0].b=c,a[1].b=d         | {\"a\":[{\"b\":\"c\"},{\"b\":\"d\"}]}",
                "a[1]=x                    | {\"a\":[null,\"x\"]}",
                "a[0][1]=x                 | {\"a\":[[null,\"x\"]]}",
                "a\\.b/c=d                 | {\"a.b/c\":\"d\"}",
                "a=b\\,c                   | {\"a\":\"b,c\"}",
                "a=b=c                     | {\"a\":\"b=c\"}",
                "a=0123,b=-5,c=1.5,d=007   | {\"a\":\"0123\",\"b\":-5,\"c\":\"1.5\",\"d\":\"007\"}",
                "a=\"true\"                | {\"a\":\"true\"}",
                "a=\"x,y\"                 | {\"a\":\"x,y\"}",
                "\"a=b\"                   | {\"a\":\"b\"}",
                "'a=b'                     | {\"a\":\"b\"}",
                "a=null                    | {}",
                "a={--x,--y=k=v}           | {\"a\":[\"--x\",\"--y=k=v\"]}",
            })
    void readsSetValuesAsHelmDoes(String text, String tree) {
        ObjectNode values = Json.object();
        SetValues.apply(text, values);
        assertThat(values).isEqualTo(Json.parse(tree));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "=b", "a={x", "a[x]=1", "a[99999999]=1", ".a=b", "a=b,c"})
    void refusesBadSetValues(String text) {
        assertThatThrownBy(() -> SetValues.apply(text, Json.object()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("--set " + text + ": ");
    }

    @Test
    void theTutorialWorksAsWritten() {
        TenantConfig config = TenantConfig.load(
                List.of(),
                List.of(
                        "syncer.extraArgs={--enforce-node-selector,--node-selector=cloud.google.com/gke-accelerator=nvidia-tesla-t4}",
                        "sync.pods.enforceTolerations=true",
                        "sync.pods.usePodTemplate=true",
                        "sync.pods.podTemplate.spec.tolerations[0].key=nvidia.com/gpu",
                        "sync.pods.podTemplate.spec.tolerations[0].operator=Exists",
                        "sync.pods.podTemplate.spec.tolerations[0].effect=NoSchedule"));
        assertThat(config.nodes().labels()).isEqualTo(Map.of("cloud.google.com/gke-accelerator", "nvidia-tesla-t4"));
        assertThat(config.nodes().real()).isFalse();
        assertThat(config.pods().template())
                .isEqualTo(Yaml.parse(
                        "spec: {tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]}"));
        TenantConfig again = TenantConfig.of(config.toTree());
        assertThat(again.pods()).isEqualTo(config.pods());
        assertThat(again.nodes()).isEqualTo(config.nodes());
        assertThat(again.warnings()).isEmpty();
    }

    @Test
    void defaultsAreVclusters() {
        TenantConfig config = TenantConfig.defaults();
        assertThat(config.configMaps()).isEqualTo(new TenantConfig.ObjectConfig(true, false));
        assertThat(config.syncServices()).isTrue();
        assertThat(config.nodes().real()).isFalse();
        assertThat(config.clusterDomain()).isEqualTo("cluster.local");
        assertThat(config.podSecurityStandard()).isEqualTo("baseline");
        assertThat(config.pods().allowedHostPaths()).isEmpty();
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    void laterTextsAndValuesWin() {
        TenantConfig config = TenantConfig.load(
                List.of("""
                        sync:
                          toHost:
                            secrets: {all: true}
                            pods:
                              enforceTolerations: ["a=b:NoSchedule", "c:NoExecute", ":NoSchedule", d]
                        """, "sync: {toHost: {secrets: {enabled: false}, pods: {runtimeClassName: nvidia}}}"),
                List.of("sync.toHost.pods.runtimeClassName=kata"));
        assertThat(config.secrets()).isEqualTo(new TenantConfig.ObjectConfig(false, true));
        assertThat(config.pods().runtimeClassName()).isEqualTo("kata");
        assertThat(config.pods().enforcedTolerations())
                .containsExactly(
                        Yaml.parse("{key: a, operator: Equal, value: b, effect: NoSchedule}"),
                        Yaml.parse("{key: c, operator: Exists, effect: NoExecute}"),
                        Yaml.parse("{operator: Exists, effect: NoSchedule}"),
                        Yaml.parse("{key: d, operator: Exists}"));
    }

    @Test
    void everyMistakeIsToldAtOnce() {
        assertThatThrownBy(() -> TenantConfig.load(
                        List.of("sync: {toHost: {pod: {enabled: true}, ingresses: {enabled: true}}}\nnonsense: 1"),
                        List.of("sync.toHost.configMaps.all=maybe", "bad")))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.mistakes())
                                .containsExactlyInAnyOrder(
                                        "--set bad: key \"bad\" has no value",
                                        "unknown key sync.toHost.pod.enabled (did you mean sync.toHost.pods.enabled?)",
                                        "sync.toHost.ingresses.enabled is not supported: Ingresses are not synced yet",
                                        "unknown key nonsense",
                                        "sync.toHost.configMaps.all must be true or false, not \"maybe\""));
    }

    @Test
    void whatHasNoEffectIsAWarning() {
        TenantConfig config = TenantConfig.load(
                List.of("controlPlane: {coredns: {enabled: false}}\ntelemetry: {enabled: false}"), List.of());
        assertThat(config.warnings())
                .containsExactly(
                        "controlPlane.coredns has no effect: Atoll does not run CoreDNS for tenants yet",
                        "telemetry.enabled has no effect: Atoll sends nothing to anybody");
    }

    @Test
    void offIsNoMistake() {
        assertThat(TenantConfig.load(
                                List.of(
                                        "sync: {toHost: {ingresses: {enabled: false}}, fromHost: {secrets: {enabled: false}}}"),
                                List.of())
                        .warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "sync.configmaps.all=true               | sync.toHost.configMaps.all         | true",
                "sync.persistentvolumeclaims.enabled=false | sync.toHost.persistentVolumeClaims.enabled | false",
                "sync.fake-nodes.enabled=false          | sync.fromHost.nodes.enabled        | true",
                "sync.nodes.nodeSelector=a=b            | sync.fromHost.nodes.selector.labels.a | b",
                "isolation.podSecurityStandard=restricted | policies.podSecurityStandard     | restricted",
                "syncer.extraArgs={--enforce-toleration=a=b:NoSchedule} | sync.toHost.pods.enforceTolerations | [\"a=b:NoSchedule\"]",
                "syncer.extraArgs={--node-selector,a=b} | sync.fromHost.nodes.selector.labels.a | b",
                "syncer.extraArgs={--service-account=x} | controlPlane.advanced.workloadServiceAccount.name | x",
                "syncer.extraArgs={--sync-all-secrets}  | sync.toHost.secrets.all            | true",
                "telemetry.disabled=true                | telemetry.enabled                  | false",
            })
    void oldKeysMove(String set, String path, String value) {
        JsonNode node = ConfigTree.at(TenantConfig.load(List.of(), List.of(set)).toTree(), path);
        assertThat(node.isContainer() ? node.toString() : node.asString("")).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "syncer.extraArgs={--sync=nodes}",
                "syncer.extraArgs={--target-namespace=x}",
                "syncer.extraArgs={--enforce-node-selector=false}",
                "multiNamespaceMode.enabled=true",
                "sync.generic.config=x",
                "mapServices.fromHost[0].from=a/b"
            })
    void oldKeysWithoutAPlaceAreMistakes(String set) {
        assertThatThrownBy(() -> TenantConfig.load(List.of(), List.of(set))).isInstanceOf(ConfigException.class);
    }
}
