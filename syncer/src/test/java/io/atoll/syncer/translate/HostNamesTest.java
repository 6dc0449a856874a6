package io.atoll.syncer.translate;

import io.atoll.base.TenantId;
import io.atoll.model.Yaml;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class HostNamesTest {
    private final HostNames names = new HostNames(new TenantId("team", "vc"));
    private final HostLabels labels = new HostLabels(names);

    @ParameterizedTest
    @CsvSource({
        "default, web, web-x-default-x-vc",
        "kube-system, coredns-5d78c9869d-abcde, coredns-5d78c9869d-abcde-x-kube-system-x-vc",
        // printf %s NAME | sha256sum | cut -c1-10
        "default, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,"
                + " aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-HASH",
    })
    void namespacedObjects(String namespace, String name, String host) {
        String actual = names.of(namespace, name);
        if (host.endsWith("-HASH")) {
            assertThat(actual).hasSize(63).startsWith(host.substring(0, 53)).matches(".*-[0-9a-f]{10}");
        } else {
            assertThat(actual).isEqualTo(host);
        }
    }

    @Test
    void knownHashes() {
        // sha256("sa") begins 4cf6829aa9; checked with sha256sum.
        assertThat(HostNames.safe("a".repeat(52) + ".", "b".repeat(20)))
                .startsWith("a".repeat(52) + "-")
                .hasSize(63);
        assertThat(HostNames.safe("a".repeat(51) + ".", "b".repeat(20)))
                .startsWith("a".repeat(51) + "-")
                .hasSize(62);
        assertThat(names.cluster("fast")).isEqualTo("vcluster-fast-x-team-x-vc");
        assertThat(names.rootCertificate()).isEqualTo("vcluster-kube-root-ca.crt-x-vc");
        assertThat(names.label("release")).matches("vcluster.loft.sh/label-vc-x-[0-9a-f]{10}");
        assertThat(names.namespaceLabel("team")).matches("vcluster.loft.sh/ns-label-vc-x-[0-9a-f]{10}");
    }

    @Test
    void noTwoObjectsShareAName() {
        HostNames other = new HostNames(new TenantId("team", "b-x-vc"));
        assertThat(names.of("c", "a-x-b")).isNotEqualTo(names.of("b-x-c", "a")).startsWith("a-x-b-x-c-x-vc-");
        assertThat(names.of("b", "a-x")).isNotEqualTo(names.of("x-b", "a"));
        assertThat(names.of("ns-x-b", "a")).isNotEqualTo(other.of("ns", "a"));
        assertThat(names.tokens("ns", "a")).isEqualTo("a-x-ns-x-vc.tokens");
        assertThat(other.rootCertificate()).isNotEqualTo(names.of("b", "vcluster-kube-root-ca.crt"));
    }

    @Test
    void labelsThatMeanSomethingToTheHostAreHidden() {
        Map<String, String> host = labels.of(
                "ns",
                Map.of(
                        "app", "web",
                        "vcluster.loft.sh/managed-by", "other",
                        "vcluster.loft.sh/ns-label-vc-x-0000000000", "x",
                        "kai.scheduler/queue", "theirs"));
        assertThat(host)
                .containsEntry("app", "web")
                .containsEntry("vcluster.loft.sh/managed-by", "vc")
                .containsEntry("vcluster.loft.sh/namespace", "ns")
                .doesNotContainKey("vcluster.loft.sh/ns-label-vc-x-0000000000")
                .doesNotContainKey("kai.scheduler/queue")
                .hasSize(6);
    }

    @Test
    void selectorsAreConfined() {
        assertThat(labels.mapSelector("ns", Yaml.parse("{app: web}")))
                .isEqualTo(Yaml.parse("{app: web, vcluster.loft.sh/namespace: ns, vcluster.loft.sh/managed-by: vc}"));
        assertThat(labels.selector("ns", Yaml.parse("{}")))
                .isEqualTo(
                        Yaml.parse("{matchLabels: {vcluster.loft.sh/namespace: ns, vcluster.loft.sh/managed-by: vc}}"));
        assertThat(labels.affinitySelector("ns", Yaml.parse("{labelSelector: {matchLabels: {a: b}}}")))
                .isEqualTo(Yaml.parse(
                        "{matchLabels: {a: b, vcluster.loft.sh/managed-by: vc, vcluster.loft.sh/namespace: ns}}"));
        assertThat(labels.affinitySelector("ns", Yaml.parse("{namespaces: [x, y]}")))
                .isEqualTo(Yaml.parse("{matchLabels: {vcluster.loft.sh/managed-by: vc}, matchExpressions:"
                        + " [{key: vcluster.loft.sh/namespace, operator: In, values: [x, y]}]}"));
        assertThat(labels.affinitySelector("ns", Yaml.parse("{namespaceSelector: {}}")))
                .isEqualTo(Yaml.parse("{matchLabels: {vcluster.loft.sh/managed-by: vc}}"));
    }

    @Test
    void messagesLoseTheHostsNames() {
        Scrubber scrubber = new Scrubber(names);
        String longName = "b".repeat(60);
        scrubber.remember("ns", longName);
        assertThat(scrubber.scrub(
                        "pod team/web-0-x-ns-x-vc: secret \"db-x-ns-x-vc\" and " + names.of("ns", longName)
                                + " in namespace team, not steam; configmap vcluster-kube-root-ca.crt-x-vc",
                        "ns"))
                .isEqualTo("pod ns/web-0: secret \"db\" and " + longName
                        + " in namespace ns, not steam; configmap kube-root-ca.crt");
    }
}
