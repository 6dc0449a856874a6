package io.atoll.model;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0Gi, 0",
        "1, 1",
        "1000, 1k",
        "1500, 1500",
        "0.5, 500m",
        "100m, 100m",
        "1000m, 1",
        "1.5, 1500m",
        "1024Mi, 1Gi",
        "1.5Gi, 1536Mi",
        "0.5Gi, 512Mi",
        "1Ki, 1Ki",
        "512, 512",
        "0.5Ki, 512",
        "1e3, 1e3",
        "12E1, 120",
        "1E, 1E",
        "1000Ei, 9223372036854775807",
        "1u, 1u",
        "0.1n, 1n",
        "-1.5Gi, -1536Mi",
        "+3, 3",
        ".5, 500m",
        "5., 5",
        "128974848, 128974848",
        "129e6, 129e6",
        "129M, 129M",
        "123Mi, 123Mi"
    })
    void hasOneCanonicalText(String text, String canonical) {
        assertThat(Quantity.parse(text).canonical()).isEqualTo(canonical);
        assertThat(Quantity.parse(canonical)).isEqualTo(Quantity.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1x", "1.1.1", "1 Gi", "Gi", "1mm", "--1"})
    void refusesWhatKubernetesRefuses(String text) {
        assertThatThrownBy(() -> Quantity.parse(text)).isInstanceOf(ApiException.class);
    }

    @ParameterizedTest
    @CsvSource({"1, 1Ki, 1025", "500m, 500m, 1", "1Gi, 1Gi, 2Gi", "0, 1Gi, 1Gi"})
    void adds(String left, String right, String sum) {
        assertThat(Quantity.parse(left).add(Quantity.parse(right)).canonical()).isEqualTo(sum);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1000", "100m, 1, 100", "1500m, 2, 1500", "1u, 1, 1", "-1500m, -1, -1500"})
    void roundsUpToWholeUnits(String text, long value, long milli) {
        assertThat(Quantity.parse(text).value()).isEqualTo(value);
        assertThat(Quantity.parse(text).milliValue()).isEqualTo(milli);
    }
}
