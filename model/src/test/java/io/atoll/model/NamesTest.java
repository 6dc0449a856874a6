package io.atoll.model;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class NamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "a-b.c", "1", "web-0"})
    void acceptsSubdomains(String name) {
        assertThat(Names.dnsSubdomainErrors(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "-a", "a-", "a..b", "a_b", "a/b"})
    void refusesOtherNames(String name) {
        assertThat(Names.dnsSubdomainErrors(name))
                .containsExactly("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                        + " '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
                        + " regex used for validation is"
                        + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
    }

    @ParameterizedTest
    @CsvSource({"a, true", "example.com/a, true", "a/b/c, false", "/a, false", "a/, false", "a b, false", "A.b_c, true"
    })
    void checksLabelKeys(String key, boolean valid) {
        assertThat(Names.qualifiedNameErrors(key).isEmpty()).isEqualTo(valid);
    }

    @Test
    void showsTwoExamplesAsKubernetesDoes() {
        assertThat(Names.dnsLabelErrors("a.b"))
                .containsExactly("a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
                        + " '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
                        + " regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
        assertThat(Names.dnsLabelErrors("a".repeat(64))).containsExactly("must be no more than 63 bytes");
    }

    @Test
    void generatesNamesThatFit() {
        Random random = new Random(1);
        assertThat(Names.generate("web-", random)).matches("web-[bcdfghjklmnpqrstvwxz2456789]{5}");
        assertThat(Names.generate("x".repeat(80), random)).hasSize(63);
    }
}
