package io.atoll.model.pod;

import io.atoll.model.Json;
import io.atoll.model.Quantity;
import io.atoll.model.Yaml;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class PodResourcesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "containers add up | {containers: [{resources: {requests: {cpu: 1500m}}}, {resources: {requests:"
                        + " {cpu: 1}}}]} | {cpu=2500m} | {}",
                "a limit is the request | {containers: [{resources: {limits: {cpu: 2}}}]} | {cpu=2} | {cpu=2}",
                "the neediest init container | {containers: [{resources: {requests: {cpu: 1}}}], initContainers:"
                        + " [{resources: {requests: {cpu: 3}}}, {resources: {requests: {cpu: 2}}}]} | {cpu=3} | {}",
                "sidecars run on | {containers: [{resources: {requests: {cpu: 1}}}], initContainers:"
                        + " [{restartPolicy: Always, resources: {requests: {cpu: 2}}}]} | {cpu=3} | {}",
                "sidecars run beside later ones | {containers: [{resources: {requests: {cpu: 1}}}], initContainers:"
                        + " [{restartPolicy: Always, resources: {requests: {cpu: 2}}}, {resources: {requests: {cpu:"
                        + " 4}}}]} | {cpu=6} | {}",
                "and not beside earlier ones | {containers: [{resources: {requests: {cpu: 1}}}], initContainers:"
                        + " [{resources: {requests: {cpu: 4}}}, {restartPolicy: Always, resources: {requests: {cpu:"
                        + " 2}}}]} | {cpu=4} | {}",
                "the pod's own in place of theirs | {containers: [{resources: {requests: {cpu: 4, memory: 1Gi}}}],"
                        + " resources: {requests: {cpu: 2}}} | {cpu=2, memory=1Gi} | {}",
                "overhead comes on top | {containers: [{resources: {limits: {cpu: 1}}}], resources: {limits: {cpu: 2}},"
                        + " overhead: {cpu: 250m, memory: 64Mi}} | {cpu=2250m, memory=64Mi} | {cpu=2250m}",
                "nothing | {containers: [{}]} | {} | {}"
            })
    void aPodAsksForWhatItNeedsAtItsNeediest(String what, String spec, String requests, String limits) {
        ObjectNode tree = Yaml.parse(spec);
        assertThat(text(PodResources.requests(tree))).isEqualTo(requests);
        assertThat(text(PodResources.limits(tree))).isEqualTo(limits);
    }

    private static String text(Map<String, Quantity> quantities) {
        return new TreeMap<>(quantities).toString();
    }

    @Test
    void unitsAreThousandthsOfCpuAndWholeOfAllElse() {
        ObjectNode spec =
                Yaml.parse("{containers: [{resources: {requests: {cpu: 100m, memory: 1Ki, nvidia.com/gpu: 2}}}]}");
        assertThat(PodResources.requestedUnits(spec))
                .isEqualTo(Map.of("cpu", 100L, "memory", 1024L, "nvidia.com/gpu", 2L));
    }

    @Test
    void whatIsNoQuantityIsLeftOut() {
        assertThat(PodResources.quantities(Json.parse("{\"cpu\":\"much\",\"memory\":\"1\"}")))
                .containsOnlyKeys("memory");
    }
}
