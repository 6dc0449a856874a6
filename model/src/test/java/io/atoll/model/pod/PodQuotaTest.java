package io.atoll.model.pod;

import io.atoll.model.Yaml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class PodQuotaTest {
    private static final ObjectNode POD = Yaml.parse("""
            spec:
              priorityClassName: low
              containers: [{resources: {requests: {cpu: 1}, limits: {cpu: 2, nvidia.com/gpu: 1}}}]
            """);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | true",
                "{scopes: [NotTerminating]} | true",
                "{scopes: [Terminating]} | false",
                "{scopes: [NotBestEffort, NotTerminating]} | true",
                "{scopes: [BestEffort, NotTerminating]} | false",
                "{scopes: [PriorityClass]} | true",
                "{scopes: [CrossNamespacePodAffinity]} | false",
                "{scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [low]}]}} | true",
                "{scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: NotIn, values: [low]}]}} | false",
                "{scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: DoesNotExist}]}} | false",
                "{scopes: [SomethingNew]} | false"
            })
    void aQuotaCountsThePodsOfItsScopes(String quotaSpec, boolean counted) {
        assertThat(PodQuota.counts(Yaml.parse(quotaSpec), POD)).isEqualTo(counted);
    }

    @Test
    void aPodUsesWhatItAsksForUntilItHasEnded() {
        assertThat(PodQuota.usage(POD).toString())
                .isEqualTo("{count/pods=1, cpu=1, limits.cpu=2, limits.nvidia.com/gpu=1, pods=1, requests.cpu=1,"
                        + " requests.nvidia.com/gpu=1}");
        ObjectNode ended = POD.deepCopy();
        ended.putObject("status").put("phase", "Succeeded");
        assertThat(PodQuota.usage(ended).toString()).isEqualTo("{count/pods=1}");
    }

    @Test
    void affinityToOtherNamespacesIsAScope() {
        ObjectNode pod = Yaml.parse("""
                spec:
                  affinity:
                    podAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, namespaces: [other]}]
                """);
        assertThat(PodQuota.counts(Yaml.parse("{scopes: [CrossNamespacePodAffinity]}"), pod))
                .isTrue();
    }
}
