package io.atoll.model.schema;

import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GoPatternTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "^a$ | a | true",
                "^a$ | \"a\n\" | false",
                "^[a-z]+$ | aB | false",
                "b | abc | true",
                "(?P<my_name>b) | abc | true",
                "^[[:alpha:]_]+$ | ab_ | true",
                "^[^[:space:]]+$ | \"a b\" | false",
                "^[[]$ | [ | true",
                "^[]a]+$ | ]a | true",
                "^[a-z&&x]+$ | & | true",
                "^\\d{3}(-\\d{4})?$ | 555-1234 | true",
                "^a.b$ | \"a\nb\" | false",
                "(?s)^a.b$ | \"a\nb\" | true",
                "^[\\w.-]+\\$ | a.b$ | true",
            },
            delimiter = '|')
    void matchesAsGoDoes(String pattern, String text, boolean matches) {
        assertThat(GoPattern.compile(pattern).occursIn(text)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({"(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(", "[a"})
    void refusesWhatGoRefuses(String pattern) {
        assertThatThrownBy(() -> GoPattern.compile(pattern)).isInstanceOf(PatternSyntaxException.class);
    }

    @Test
    void givesUpOnAnExplosion() {
        assertThat(GoPattern.compile("^(a+)+$").occursIn("a".repeat(60) + "!")).isFalse();
        assertThat(GoPattern.compile("^(a|b)*$").occursIn("ab".repeat(100_000))).isFalse();
    }
}
